import base64
import gzip
import json

import numpy as np
import pytest
from recorded import small_recording

pytest.importorskip("viser")

from chrono_powercontact.view.packing import WORD, packed
from chrono_powercontact.view.stage import Stage
from chrono_powercontact.view.viewer import server


def restored(planes, group, count):
    """What view.js does with a group: differences in planes of bytes back to floats."""
    folded = np.frombuffer(planes, np.uint8).reshape(4, -1).T.copy().view("<u4").astype(np.int64).reshape(-1, count)
    numbers = np.where(folded % 2, -(folded // 2) - 1, folded // 2)
    for _ in range(group["order"]):
        numbers = np.cumsum(numbers, axis=1)
    return (numbers.T * 2.0 ** -group["bits"]).astype("<f4").tobytes()


def unpacked(text):
    """viser's bytes from the packed ones, as view.js restores them."""
    data = gzip.decompress(base64.b64decode(text))
    size = int.from_bytes(data[:WORD], "little")
    header = json.loads(data[WORD : WORD + size])
    at = WORD + size
    inner = bytearray(data[at : at + header["head"]])
    at += header["head"]
    arrays = {}
    for group in header["groups"]:
        lengths = [header["lengths"][i] for i in group["members"]]
        content = data[at : at + sum(lengths)]
        at += sum(lengths)
        if group["bits"] >= 0:
            content = restored(content, group, len(lengths))
        for i, end in zip(group["members"], np.cumsum(lengths), strict=True):
            arrays[i] = content[end - header["lengths"][i] : end]
    for i in range(len(header["lengths"])):
        inner += bytes(-len(inner) % WORD) + arrays[i]
    return bytes(inner), header


def test_packed_bytes_become_exactly_those_of_viser():
    import zstandard

    recording = small_recording()
    with server() as running:
        stage = Stage(running.scene, recording)
        serializer = running.get_scene_serializer()
        for frame in range(len(recording)):
            stage.show(frame)
            serializer.insert_sleep(1.0)
        written = serializer.serialize()
    size = int.from_bytes(written[:WORD], "little")
    found, header = unpacked(packed(written))
    assert found == zstandard.ZstdDecompressor().decompress(written[WORD:], max_output_size=size)
    assert any(group["bits"] >= 0 for group in header["groups"])
