# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/files: small files by the libraries that own the formats, and what they hold.

    python3 -m venv venv
    venv/bin/pip install torch numpy safetensors pillow
    venv/bin/python tests/golden/make_files.py

The folder is written anew. files/manifest.json names the versions and has one entry a line:

  file          below tests/golden/files
  expect        "tensor", "labels" (text, not a tensor), "plain" (a Python value beside tensors) or
                "refuse" (with "why": what has to be named to the user)
  key, path     the key as written, and its parts where a .pt nests dicts and lists; no key where the
                file is one tensor
  dtype, shape  torch's dtype name; PNGs are [height, width] or [height, width, channel]
  values        flat, in row-major order of the shape; "nan", "inf", "-inf" are strings
  stride, storage_offset, storage
                in elements; only where the tensor is not contiguous, or does not start its storage;
                entries of a file with the same "storage" share bytes
  requires_grad only where true
  made_by       the library that wrote the file; "by hand" where no library writes such a file

files/floats.json maps bit patterns to values: for the two float8 types the index is the pattern, for
float16 and bfloat16 there are [pattern, value] pairs.
"""

import io
import json
import platform
import shutil
import struct
import zipfile
import zlib
from collections import OrderedDict
from pathlib import Path

import numpy as np
import PIL
import safetensors
import torch
from PIL import Image
from safetensors.torch import save as safetensors_bytes

OUT = Path(__file__).resolve().parent / "files"
VERSIONS = {
    "python": platform.python_version(),
    "numpy": np.__version__,
    "torch": torch.__version__,
    "safetensors": safetensors.__version__,
    "pillow": PIL.__version__,
}
entries = []


def number(value):
    if isinstance(value, float):
        if value != value:
            return "nan"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
    return value


def flat(array):
    return [number(value) for value in np.asarray(array).ravel(order="C").tolist()]


def flat_torch(tensor):
    tensor = tensor.detach()
    if tensor.dtype.is_floating_point:
        tensor = tensor.double()
    return [number(value) for value in tensor.reshape(-1).tolist()]


def add(file, expect, made_by, **fields):
    entries.append({"file": file, "expect": expect, **fields, "made_by": made_by})


def refuse(file, why, made_by, **fields):
    add(file, "refuse", made_by, why=why, **fields)


# numpy


def element_strides(array):
    return [stride // array.itemsize for stride in array.strides]


def add_array(file, array, **fields):
    if array.size and not array.flags.c_contiguous:
        fields["stride"] = element_strides(array)
    dtype = array.dtype.newbyteorder("=").name
    add(file, "tensor", "numpy", **fields, dtype=dtype, shape=list(array.shape), values=flat(array))


def npy(name, array, version=(1, 0)):
    file = f"npy/{name}.npy"
    with open(OUT / file, "wb") as stream:
        np.lib.format.write_array(stream, array, version=version, allow_pickle=True)
    return file


def make_npy():
    ramp = np.array([[-1.5, 0.0, 0.1], [2.0, 1e-3, 65504.0]])
    for version in ((1, 0), (2, 0), (3, 0)):
        name = f"header_{version[0]}_{version[1]}"
        add_array(npy(name, ramp.astype("<f4"), version), ramp.astype("<f4"))

    floats = ("<f2", "<f4", ">f4", "<f8", ">f8")
    for code in floats:
        array = ramp.astype(code)
        add_array(npy(f"{'be' if code[0] == '>' else 'le'}_{code[1:]}", array), array)
    for code in ("|i1", "<i2", ">i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8"):
        info = np.iinfo(code)
        array = np.array([info.min, 0, 1, 2, 100, info.max], dtype=code).reshape(2, 3)
        add_array(npy(f"{'be' if code[0] == '>' else 'le'}_{code[1:]}", array), array)
    array = np.array([[True, False, True], [False, False, True]])
    add_array(npy("bool", array), array)

    special = np.array(
        [0.0, -0.0, 2.0**-24, -(2.0**-24), 1023 * 2.0**-24, 2.0**-14, 1.0, -1.0, 65504.0, -65504.0,
         np.nan, np.inf, -np.inf, 1 / 3],
        dtype="<f2",
    )
    add_array(npy("f16_special", special), special)
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4028234663852886e38], dtype="<f4")
    add_array(npy("f32_special", special), special)

    array = np.asfortranarray(np.arange(12, dtype="<f4").reshape(3, 4))
    add_array(npy("fortran_2d", array), array)
    array = np.asfortranarray((np.arange(24) / 8).reshape(2, 3, 4).astype(">f8"))
    add_array(npy("fortran_3d_be_f8", array), array)
    array = np.asfortranarray(np.arange(6).reshape(2, 3) % 2 == 0)
    add_array(npy("fortran_bool", array), array)

    for name, array in (
        ("shape_scalar", np.array(2.5, dtype="<f4")),
        ("shape_0_3", np.zeros((0, 3), dtype="<f4")),
        ("shape_1", np.array([7], dtype="<i4")),
        ("shape_2_1_3", np.arange(6, dtype="<f4").reshape(2, 1, 3)),
    ):
        add_array(npy(name, array), array)

    labels = np.array(["[CLS]", "fish", "äöü", "猫", ""], dtype="<U5")
    add(npy("labels_U5", labels), "labels", "numpy", shape=[5], values=labels.tolist())
    labels = np.array([[b"the", b"cat"], [b"a", b""]], dtype="|S3")
    values = [value.decode() for value in labels.ravel().tolist()]
    add(npy("labels_S3", labels), "labels", "numpy", shape=[2, 2], values=values)

    refuse(npy("refuse_complex64", np.array([1 + 2j], dtype="<c8")), "complex64", "numpy")
    refuse(npy("refuse_object", np.array([{"a": 1}, None], dtype=object)), "object", "numpy")


def make_npz():
    members = {
        "weights": np.linspace(0, 1, 24, dtype="<f4").reshape(2, 3, 4),
        "keep_mask": np.array([True, True, False, True]),
        "layer/0/w": np.array([[0.5, -2.0], [1.0, 0.25]], dtype="<f2"),
    }
    for file, save in (("npz/stored.npz", np.savez), ("npz/deflate.npz", np.savez_compressed)):
        save(OUT / file, **members)
        for key, array in members.items():
            add_array(file, array, key=key)


# safetensors


def with_sorted_metadata(data):
    """The same bytes with __metadata__ in order: the library writes it in any order."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return data[:8] + text.ljust(size) + data[8 + size :]


def make_safetensors():
    file = "safetensors/all_dtypes.safetensors"
    ramp = torch.tensor([[0.0, -0.0, 1.0], [-2.5, 0.1, 300.0]])
    odd = torch.tensor([float("nan"), float("inf"), -float("inf"), 2.0**-24, 1.0])
    tensors = {
        "f64": ramp.double() / 3,
        "f32": torch.cat([ramp.flatten(), odd]),
        "f16": torch.cat([ramp.flatten(), odd]).half(),
        "bf16": torch.cat([ramp.flatten(), odd]).bfloat16(),
        "f8_e4m3": torch.tensor([[0.0, -0.0, 1.0], [-2.5, 0.1, 448.0]]).to(torch.float8_e4m3fn),
        "f8_e5m2": torch.cat([ramp.flatten(), odd]).to(torch.float8_e5m2),
        "bool": torch.tensor([[True, False], [False, True]]),
        "u8": torch.tensor([0, 1, 128, 255], dtype=torch.uint8),
        "i8": torch.tensor([-128, 0, 127], dtype=torch.int8),
        "i16": torch.tensor([-32768, 0, 32767], dtype=torch.int16),
        "i32": torch.tensor([-(2**31), 0, 2**31 - 1], dtype=torch.int32),
        "i64": torch.tensor([-(2**63), 0, 2**63 - 1]),
        "scalar": torch.tensor(2.5),
        "empty": torch.zeros(0, 3),
    }
    metadata = {"model": "none", "dims.f64": "query,key", "tokens": '["a", "ä", "\\"", "猫"]'}
    (OUT / file).write_bytes(with_sorted_metadata(safetensors_bytes(tensors, metadata)))
    for key, tensor in tensors.items():
        add_tensor(file, tensor, made_by="safetensors", key=key)
    add(file, "plain", "safetensors", key="__metadata__", value=dict(sorted(metadata.items())))


# torch


def add_tensor(file, tensor, made_by="torch", storage=None, **fields):
    fields["dtype"] = str(tensor.dtype).removeprefix("torch.")
    fields["shape"] = list(tensor.shape)
    if not tensor.is_contiguous():
        fields["stride"] = list(tensor.stride())
    if tensor.storage_offset():
        fields["storage_offset"] = tensor.storage_offset()
    if storage is not None:
        fields["storage"] = storage
    if tensor.requires_grad:
        fields["requires_grad"] = True
    add(file, "tensor", made_by, **fields, values=flat_torch(tensor))


def plain(value):
    return isinstance(value, torch.Size) or (value and all(isinstance(item, str) for item in value))


def walk(file, value, path, shared):
    if isinstance(value, torch.Tensor):
        keys = {"key": "/".join(map(str, path)), "path": list(path)} if path else {}
        name = shared.get(value.untyped_storage().data_ptr()) if value.numel() else None
        add_tensor(file, value, storage=name, **keys)
    elif isinstance(value, dict):
        for key, item in value.items():
            walk(file, item, (*path, key), shared)
    elif isinstance(value, (list, tuple)) and not plain(value):
        for index, item in enumerate(value):
            walk(file, item, (*path, index), shared)
    else:
        kind = type(value).__name__
        value = list(value) if isinstance(value, (list, tuple)) else number(value)
        add(file, "plain", "torch", key="/".join(map(str, path)), path=list(path), type=kind,
            value=value)


def pt(name, value, shared=None):
    file = f"pt/{name}.pt"
    torch.save(value, OUT / file)
    names = {base.untyped_storage().data_ptr(): key for key, base in (shared or {}).items()}
    walk(file, value, (), names)


def make_pt():
    torch.manual_seed(0)
    ramp = torch.arange(6, dtype=torch.float32).reshape(2, 3) / 4

    pt("tensor", ramp)
    pt("dict", {
        "f32": ramp, "f64": ramp.double() / 3, "i64": torch.tensor([-(2**63), 2**63 - 1]),
        "i32": torch.tensor([[1, -2]], dtype=torch.int32), "i16": torch.tensor([-3], dtype=torch.int16),
        "i8": torch.tensor([-4, 4], dtype=torch.int8), "u8": torch.tensor([0, 255], dtype=torch.uint8),
        "step": 7, "big": 2**40, "huge": 2**70, "epoch": 300, "negative": -1, "rate": 0.125,
        "name": "Wächter", "flag": True, "nothing": None, "size": torch.Size([2, 3]),
    })
    pt("nested", {
        "block": {"w": ramp + 1, "list": [ramp[0].clone(), {"inner": torch.tensor([9, 8])}]},
        "pair": (torch.tensor([True, False]), 5),
        3: torch.tensor([0.5]),
        "none_here": {}, "empty_list": [],
    })
    pt("dtypes", {
        "bf16": torch.tensor([1.0, -0.0, 0.1, float("nan"), float("inf")], dtype=torch.bfloat16),
        "f16": torch.tensor([1.0, 2.0**-24, 65504.0, -float("inf")], dtype=torch.float16),
        "bool": torch.tensor([[True, False], [False, True]]),
        "scalar": torch.tensor(3.5), "scalar_bool": torch.tensor(True),
        "empty": torch.zeros(0), "empty_2d": torch.zeros(2, 0, 3),
    })
    pt("rebuilt_v3", {
        "f8_e4m3": torch.tensor([1.0, -2.5, 448.0]).to(torch.float8_e4m3fn),
        "f8_e5m2": torch.tensor([1.0, -2.5, float("inf")]).to(torch.float8_e5m2),
        "u16": torch.tensor([0, 65535], dtype=torch.uint16),
    })

    base = torch.arange(24, dtype=torch.float32)
    grid = torch.arange(12, dtype=torch.int32).reshape(3, 4)
    pt("views", {
        "head": base[:6].view(2, 3), "tail": base[18:].view(2, 3), "middle_t": base[6:18].view(3, 4).t(),
        "step_2": base[1::2], "grid": grid, "grid_t": grid.t(), "column": grid[:, 2],
        "expanded": torch.tensor([[1.5], [2.5]]).expand(2, 3),
        "permuted": torch.arange(24, dtype=torch.float16).reshape(2, 3, 4).permute(2, 0, 1),
    }, shared={"base": base, "grid": grid})

    # More than 256 remembered objects: the pickle goes over to the four-byte forms of put and get.
    pt("many", {
        "tokens": [f"token{index}" for index in range(300)],
        "a": torch.tensor([1.0]), "b": torch.tensor([2.0]),
    })

    model = torch.nn.Sequential(OrderedDict(
        proj=torch.nn.Linear(3, 2), norm=torch.nn.BatchNorm1d(2), drop=torch.nn.Dropout()
    ))
    pt("state_dict", model.state_dict())
    pt("parameter", {
        "weight": torch.nn.Parameter(ramp.clone()),
        "wants_grad": torch.tensor([1.0, 2.0], requires_grad=True),
    })

    stream = io.BytesIO()
    torch.save({"w": ramp}, stream, _use_new_zipfile_serialization=False)
    # This form names a storage by its address: the same digits at every run instead.
    address = str(ramp.untyped_storage()._cdata).encode()
    data = stream.getvalue().replace(address, b"1" * len(address))
    (OUT / "pt/refuse_legacy.pt").write_bytes(data)
    refuse("pt/refuse_legacy.pt", "the form that torch.save wrote before 1.6, not a zip", "torch")
    # A pickle that would call os.system("true") in a reader that runs it. Never loaded here.
    for name, module in (("os", "os"), ("posix", "posix")):
        pickle = f"\x80\x02c{module}\nsystem\n".encode("latin-1") + b"X\x04\x00\x00\x00true\x85R."
        write_zip(f"pt/refuse_global_{name}.pt", {"data.pkl": pickle})
        refuse(f"pt/refuse_global_{name}.pt", f"{module}.system", "by hand")
    torch.save(torch.nn.Linear(2, 2), OUT / "pt/refuse_module.pt")
    refuse("pt/refuse_module.pt", "torch.nn.modules.linear.Linear", "torch")
    torch.save({"z": torch.tensor([1 + 2j])}, OUT / "pt/refuse_complex64.pt")
    refuse("pt/refuse_complex64.pt", "complex64", "torch", key="z", path=["z"])


def write_zip(file, members):
    folder = Path(file).stem
    members = {**members, "byteorder": b"little", "version": b"3\n"}
    with zipfile.ZipFile(OUT / file, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}"), data)


# PNG


def write_grey(file, array, depth):
    """A grey PNG of 1, 2, 4, 8 or 16 bits; Pillow writes grey of 2 and 4 bits in no mode."""

    def chunk(kind, data):
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    height, width = array.shape
    rows = b""
    for row in array.tolist():
        bits = "".join(f"{value:0{depth}b}" for value in row)
        bits += "0" * (-len(bits) % 8)
        rows += b"\x00" + int(bits, 2).to_bytes(len(bits) // 8, "big")
    header = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    data += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    (OUT / file).write_bytes(data)
    seen = np.asarray(Image.open(OUT / file)).astype(np.int64)
    scale = 255 // (2**depth - 1) if depth in (2, 4) else 1  # Pillow stretches these to 0..255
    assert (seen == array.astype(np.int64) * scale).all()


def add_png(file, array, colour, depth, made_by="pillow", **fields):
    add(file, "tensor", made_by, colour=colour, bit_depth=depth, **fields,
        dtype=array.dtype.name, shape=list(array.shape), values=flat(array))


def make_png():
    ramp = (np.arange(35).reshape(5, 7) * 37) % 256
    array = ramp.astype(np.uint8)
    Image.fromarray(array).save(OUT / "png/grey8.png")
    add_png("png/grey8.png", array, "grey", 8)

    array = ((np.arange(35).reshape(5, 7) * 1877) % 65536).astype(np.uint16)
    array[0, 0], array[4, 6] = 26001, 65535
    Image.fromarray(array).save(OUT / "png/grey16.png")
    add_png("png/grey16.png", array, "grey", 16)

    array = ramp % 2 == 0
    Image.fromarray(array).save(OUT / "png/grey1.png")
    add_png("png/grey1.png", array.astype(np.uint8), "grey", 1)
    for depth in (2, 4):
        array = (ramp % 2**depth).astype(np.uint8)
        write_grey(f"png/grey{depth}.png", array, depth)
        add_png(f"png/grey{depth}.png", array, "grey", depth, made_by="by hand")

    colours = np.stack([ramp, (ramp * 3) % 256, 255 - ramp], axis=-1).astype(np.uint8)
    Image.fromarray(colours).save(OUT / "png/rgb8.png")
    add_png("png/rgb8.png", colours, "rgb", 8)
    alpha = np.concatenate([colours, (ramp[..., None] * 5 % 256).astype(np.uint8)], axis=-1)
    Image.fromarray(alpha).save(OUT / "png/rgba8.png")
    add_png("png/rgba8.png", alpha, "rgba", 8)

    voc = [voc_colour(index) for index in range(256)]
    for depth, used in ((8, 256), (4, 16), (2, 4), (1, 2)):
        array = (ramp % min(used, 21)).astype(np.uint8)
        if depth == 8:
            array[2] = 255
        image = Image.frombytes("P", (7, 5), array.tobytes())
        image.putpalette([part for colour in voc[:used] for part in colour])
        file = f"png/palette{depth}.png"
        image.save(OUT / file, bits=depth)
        back = Image.open(OUT / file)
        assert back.mode == "P" and (np.asarray(back) == array).all()
        add_png(file, array, "palette", depth, palette=[list(colour) for colour in voc[:used]])
        assert (OUT / file).read_bytes()[24] == depth


def voc_colour(index):
    """Pascal VOC's palette: the bits of the index dealt out to red, green, blue from the top."""
    colour = [0, 0, 0]
    for bit in range(8):
        for channel in range(3):
            colour[channel] |= ((index >> (channel + 3 * bit)) & 1) << (7 - bit)
    return tuple(colour)


# Bit patterns


def values_of(patterns, raw, dtype):
    return flat_torch(torch.tensor(patterns, dtype=raw).view(dtype))


def make_floats():
    eight = list(range(256))
    half = [
        sign << 15 | exponent << 10 | mantissa
        for sign in (0, 1)
        for exponent in range(32)
        for mantissa in (0, 1, 0x155, 0x200, 0x3FE, 0x3FF)
    ]
    exponents = [*range(0, 4), 63, 100, *range(112, 144), 160, 200, 252, 253, 254, 255]
    brain = [
        sign << 15 | exponent << 7 | mantissa
        for sign in (0, 1)
        for exponent in exponents
        for mantissa in (0, 1, 0x2A, 0x40, 0x7F)
    ]
    tables = {
        "float8_e4m3fn": values_of(eight, torch.uint8, torch.float8_e4m3fn),
        "float8_e5m2": values_of(eight, torch.uint8, torch.float8_e5m2),
        "float16": list(zip(half, values_of(half, torch.uint16, torch.float16), strict=True)),
        "bfloat16": list(zip(brain, values_of(brain, torch.uint16, torch.bfloat16), strict=True)),
    }
    lines = [f'"made_with": {json.dumps({"torch": torch.__version__})}']
    lines += [f'"{name}": {json.dumps(table)}' for name, table in tables.items()]
    (OUT / "floats.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def write_manifest():
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False, allow_nan=False) for entry in entries)
    text = f'{{\n"made_with": {json.dumps(VERSIONS)},\n"files": [\n{lines}\n]\n}}\n'
    (OUT / "manifest.json").write_text(text, encoding="utf-8")


def main():
    torch.set_num_threads(1)
    shutil.rmtree(OUT, ignore_errors=True)
    for folder in ("npy", "npz", "safetensors", "pt", "png"):
        (OUT / folder).mkdir(parents=True)
    make_npy()
    make_npz()
    make_safetensors()
    make_pt()
    make_png()
    make_floats()
    write_manifest()


if __name__ == "__main__":
    main()
