#!/usr/bin/env python3
"""picture.py - a picture of a page beside a kept one, both strongly reduced

    tests/picture.py PICTURE.png KEPT.png [--keep]

Reduces PICTURE to 64 columns of square cells, each the mean of its colours, and compares them with those of
KEPT, a picture of 64 columns: at most 2 % of the cells may differ by more than 20 of 255 in a colour, and
the height by 2 %. Prints what differs, with the worst cells; status 0: the same, 1: not. --keep writes KEPT.
"""
import struct
import sys
import zlib

COLUMNS, FAR, CELLS, HEIGHT = 64, 20, .02, .02


def read_png(path):
    """Rows of (r, g, b) triples as flat bytes; 8 bits, RGB or RGBA, not interlaced."""
    data = open(path, "rb").read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit(f"picture.py: {path} is not a PNG")
    at, packed = 8, b""
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + n]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunk)
            if depth != 8 or colour not in (2, 6) or interlace:
                sys.exit(f"picture.py: {path}: expected 8 bits of RGB or RGBA")
        elif kind == b"IDAT":
            packed += chunk
        at += 12 + n
    size = 3 if colour == 2 else 4
    raw, stride, rows = zlib.decompress(packed), width * size, []
    before = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        how, line = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for x in range(stride):
            a = line[x - size] if x >= size else 0
            b = before[x]
            if how == 1:
                line[x] = line[x] + a & 255
            elif how == 2:
                line[x] = line[x] + b & 255
            elif how == 3:
                line[x] = line[x] + (a + b >> 1) & 255
            elif how == 4:
                c = before[x - size] if x >= size else 0
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                line[x] = line[x] + (a if pa <= pb and pa <= pc else b if pb <= pc else c) & 255
            elif how == 0:
                break
        before = line
        rows.append(line)
    return width, height, size, rows


def reduce(path):
    width, height, size, rows = read_png(path)
    side, cells = width / COLUMNS, []
    for top in range(int(height / side)):
        ys = range(int(top * side), max(int((top + 1) * side), int(top * side) + 1))
        for left in range(COLUMNS):
            xs = range(int(left * side), max(int((left + 1) * side), int(left * side) + 1))
            n = len(ys) * len(xs)
            cells.append(tuple(round(sum(rows[y][x * size + c] for y in ys for x in xs) / n) for c in range(3)))
    return cells


def write_png(path, cells):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    height = len(cells) // COLUMNS
    raw = b"".join(b"\0" + bytes(v for cell in cells[y * COLUMNS:(y + 1) * COLUMNS] for v in cell) for y in range(height))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", COLUMNS, height, 8, 2, 0, 0, 0)) +
                  chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def main():
    path, kept = sys.argv[1:3]
    now = reduce(path)
    if sys.argv[3:] == ["--keep"]:
        write_png(kept, now)
        return 0
    was = reduce(kept)
    height = len(was) // COLUMNS
    if abs(len(now) // COLUMNS - height) > HEIGHT * height:
        print(f"{len(now) // COLUMNS} rows of cells, the kept picture has {height}")
        return 1
    far = sorted(((max(abs(a - b) for a, b in zip(one, two)), i) for i, (one, two) in enumerate(zip(now, was))), reverse=True)
    nfar = sum(difference > FAR for difference, _ in far)
    if nfar > CELLS * len(was):
        print(f"{nfar} of {len(was)} cells differ, such as",
              ", ".join(f"row {i // COLUMNS} column {i % COLUMNS}: {now[i]}, kept {was[i]}" for _, i in far[:3]))
        return 1
    return 0


sys.exit(main())
