"""A viser recording made small: arrays that change from frame to frame become differences of integers.

viser stores each array of each frame as it is, and the numbers of a smooth motion hardly compress. Values here are
rounded to multiples of a power of two, so their first or second differences over the frames are small integers.
`view.js` turns them back into exactly the bytes that viser wrote.

Layout of the packed bytes, before gzip: length of the header (8 bytes), the header (JSON), then viser's own head, and
then the arrays in the order of the groups.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

WORD = 8
"""Bytes of a length, and the alignment of viser's arrays."""

MOST_BITS = 24
"""The finest rounding that is looked for is 2**-MOST_BITS."""

LEVEL = 6
"""Of gzip: higher ones take three times as long for one per cent less."""

LARGEST = 2.0**28
"""Integers beyond this are not differenced."""


def packed(recording: bytes) -> str:
    """A recording of viser's (`StateSerializer.serialize`) as text for `view.js`."""
    size = int.from_bytes(recording[:WORD], "little")
    inner = zstandard.ZstdDecompressor().decompress(recording[WORD:], max_output_size=size)
    head = WORD + int.from_bytes(inner[:WORD], "little")
    content = msgspec.msgpack.decode(inner[WORD:head])
    lengths = content["binaryBufferLengths"]
    starts = _starts(lengths, head)
    groups = []
    parts = [inner[:head]]
    for members in _groups(content["messages"], lengths):
        arrays = [inner[starts[i] : starts[i] + lengths[i]] for i in members]
        coded = _coded(arrays)
        groups.append({"members": members, "bits": coded.bits, "order": coded.order})
        parts.append(coded.content)
    header = json.dumps({"head": head, "lengths": lengths, "groups": groups}).encode()
    whole = b"".join([len(header).to_bytes(WORD, "little"), header, *parts])
    return base64.b64encode(gzip.compress(whole, LEVEL, mtime=0)).decode("ascii")


def _starts(lengths: list[int], head: int) -> list[int]:
    """Where viser's arrays begin, each aligned."""
    starts = []
    at = head
    for length in lengths:
        at += -at % WORD
        starts.append(at)
        at += length
    return starts


def _groups(messages: list[Any], lengths: list[int]) -> list[list[int]]:
    """Numbers of arrays that are the same property of the same node in frame after frame, and as long."""
    found: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    seen: set[int] = set()
    for _, message in messages:
        for name, array in _arrays(message):
            number = array["__binary_index"]
            if number not in seen:
                seen.add(number)
                found[(message.get("name"), name, array["dtype"], lengths[number])].append(number)
    return list(found.values())


def _arrays(node: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Placeholders of arrays in a message, with the names of their properties."""
    if isinstance(node, dict):
        if "__binary_index" in node:
            yield name, node
            return
        for key, value in node.items():
            yield from _arrays(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from _arrays(value, name)


class Coded(NamedTuple):
    """Arrays of one group: bits of their rounding (-1: the bytes are as they are), order of the differences, bytes."""

    bits: int
    order: int
    content: bytes


def _coded(arrays: list[bytes]) -> Coded:
    """Arrays of one group, as differences where that helps: each number over all frames, in planes of bytes."""
    plain = b"".join(arrays)
    if len(arrays) < 3 or len(arrays[0]) % 4:
        return Coded(-1, 0, plain)
    values = np.frombuffer(plain, "<f4").reshape(len(arrays), -1).astype(np.float64)
    bits = _bits(values)
    if bits < 0:
        return Coded(-1, 0, plain)
    first: NDArray[Any] = np.diff(np.rint(values * 2.0**bits).astype(np.int64), axis=0, prepend=0)
    folded = [_folded(first), _folded(np.diff(first, axis=0, prepend=0))]
    order = int(np.argmin([np.log2(1.0 + part).sum() for part in folded]))
    planes = np.ascontiguousarray(folded[order].T).reshape(-1).view(np.uint8).reshape(-1, 4).T
    return Coded(bits, order + 1, np.ascontiguousarray(planes).tobytes())


def _folded(numbers: NDArray[Any]) -> NDArray[np.uint32]:
    """Integers without a sign: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    return ((numbers << 1) ^ (numbers >> 63)).astype("<u4")


def _bits(values: NDArray[np.float64]) -> int:
    """The least number of bits with which all values times 2**bits are integers; -1 if there is none."""
    if not np.all(np.isfinite(values)):
        return -1
    for bits in range(MOST_BITS + 1):
        scaled = values * 2.0**bits
        if np.array_equal(scaled, np.rint(scaled)):
            return bits if float(np.abs(scaled).max(initial=0.0)) < LARGEST else -1
    return -1
