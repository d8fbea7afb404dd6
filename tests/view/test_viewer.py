import socket

import pytest

pytest.importorskip("viser")

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.view import viewer
from chrono_powercontact.view.viewer import HOST, client, free_port, server, silence


def test_a_server_listens_on_this_machine_alone(capsys):
    with server() as running:
        port = running.get_port()
        assert running.get_host() == HOST
        with socket.create_connection((HOST, port), timeout=5.0):
            pass
        with pytest.raises(OSError, match=r"."), socket.create_connection((_other_address(), port), timeout=2.0):
            pass
    assert capsys.readouterr().out == ""


def test_viser_is_silent_and_others_are_not(capsys):
    with silence():
        viewer.rich.print("hidden")
    viewer.rich.print("shown")
    assert capsys.readouterr().out == "shown\n"


def _other_address():
    """An address of this machine that is not the loopback one."""
    found = socket.gethostbyname(socket.gethostname())
    return found if not found.startswith("127.") else "127.0.0.2"


def test_a_port_in_use_is_told():
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ParameterError, match=f"port {port} cannot be used: Address already in use"):
            free_port(port)
        assert free_port() != port


@pytest.mark.parametrize("port", [0, 70_000, "8080", -1])
def test_a_port_that_is_none_is_told(port):
    with pytest.raises(ParameterError, match="port must be an integer from 1 to 65535"):
        free_port(port)


def test_the_page_of_viser_is_whole():
    assert "</head>" in client()
