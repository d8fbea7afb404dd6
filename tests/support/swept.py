"""Functions that tests sweep over."""

import os
import threading
import time


def square(config):
    """The square of x."""
    return {"square": config["x"] ** 2, "passed": config["x"] < 3}


def troubled(config):
    """Does what its parameter says: gives a number, raises, aborts, sleeps, exits, or takes a lot of memory."""
    what = config["what"]
    if what == "raise":
        raise ValueError("this one is not allowed\nand a second line")
    if what == "abort":
        os.abort()
    if what == "exit":
        os._exit(7)
    if what == "sleep":
        time.sleep(60)
    if what == "memory":
        return {"size": len(bytearray(10**11))}
    if what == "lock":
        return {"lock": threading.Lock()}
    if what == "list":
        return [1, 2]
    return {"gave": 1.0}


def killed_once(config):
    """Kills its process the first time, by a file that remembers."""
    mark = f"{config['folder']}/{config['x']}"
    if config["x"] == config["bad"] and not os.path.exists(mark):
        with open(mark, "w"):
            os.abort()
    return {"x": config["x"]}


def counted(config):
    """Leaves a line for each run."""
    with open(config["log"], "a") as file:
        file.write(f"{config['x']}\n")
    return {"double": 2 * config["x"]}


def slow(config):
    """Takes some seconds."""
    time.sleep(config["seconds"])
    return {}
