# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/images: small images by Pillow and tifffile, and what these libraries read in them.

    python3 -m venv venv
    venv/bin/pip install numpy pillow tifffile pycocotools
    venv/bin/python tests/golden/make_images.py
    venv/bin/python tests/golden/make_images.py --check build/app/cli/maskscope-cli

The folder is written anew. images/manifest.json names the versions and has one entry a line:

  file    below tests/golden/images
  key     "" where the file has one page, else "page1", "page2", ...
  expect  "image", or "refuse" (with "why": what has to be named to the user)
  values  an .npy file below tests/golden/images: the samples as stored, read by the library of `read_by`
  note    what is said of the file, in part

--check converts masks with the command and reads with Pillow and pycocotools what it wrote.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import PIL
import tifffile
from PIL import Image

OUT = Path(__file__).resolve().parent / "images"
VERSIONS = {"numpy": np.__version__, "pillow": PIL.__version__, "tifffile": tifffile.__version__}
entries = []


def add(file, values, note, read_by="pillow", key="", **fields):
    name = f"{file}{'.' + key if key else ''}.npy"
    np.save(OUT / name, values)
    entries.append({"file": file, "key": key, "expect": "image", "values": name, "note": note, "read_by": read_by,
                    **fields})


def refuse(file, why):
    entries.append({"file": file, "key": "", "expect": "refuse", "why": why})


def picture(height, width, channels=3):
    """Smooth, with an edge: what lossy formats are made for, and where they differ if they can."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [(x * 9 + y * 3) % 256, (y * 11) % 256, 255 - (x * 5 + y) % 256, (x * y) % 256]
    out = np.stack(planes[:channels], axis=-1).astype(np.uint8)
    out[height // 3 : height // 2, width // 4 : width // 2] = (250, 20, 90, 128)[:channels]
    return out


def exif(orientation):
    data = Image.Exif()
    data[0x0112] = orientation
    return data


def read(file, mode=None):
    with Image.open(OUT / file) as image:
        assert mode is None or image.mode == mode, (file, image.mode)
        return np.asarray(image)


def make_jpeg():
    rgb = Image.fromarray(picture(21, 34))
    grey = rgb.convert("L")
    grey.save(OUT / "grey.jpg", quality=90)
    add("grey.jpg", read("grey.jpg", "L"), "grey, 8 bit, JPEG")
    for name, sampling, text in (("444", 0, "4:4:4"), ("422", 1, "4:2:2"), ("420", 2, "4:2:0")):
        file = f"rgb_{name}.jpg"
        rgb.save(OUT / file, quality=85, subsampling=sampling)
        add(file, read(file, "RGB"), f"RGB, 8 bit, JPEG {text}")
    rgb.save(OUT / "progressive.jpg", quality=85, progressive=True, subsampling=0)
    add("progressive.jpg", read("progressive.jpg", "RGB"), "progressive JPEG 4:4:4")
    rgb.save(OUT / "turned.jpg", quality=85, exif=exif(6), subsampling=0)
    add("turned.jpg", read("turned.jpg", "RGB"), "EXIF says: turn 90 degrees clockwise", orientation=6)
    rgb.convert("CMYK").save(OUT / "cmyk.jpg")
    refuse("cmyk.jpg", "CMYK")


def make_webp():
    rgb = Image.fromarray(picture(21, 34))
    rgba = Image.fromarray(picture(21, 34, 4))
    rgb.save(OUT / "lossy.webp", quality=80)
    add("lossy.webp", read("lossy.webp", "RGB"), "RGB, 8 bit, WebP")
    rgb.save(OUT / "lossless.webp", lossless=True)
    assert (read("lossless.webp", "RGB") == picture(21, 34)).all()
    add("lossless.webp", picture(21, 34), "RGB, 8 bit, lossless WebP")
    rgba.save(OUT / "alpha.webp", lossless=True, exact=True)
    assert (read("alpha.webp", "RGBA") == picture(21, 34, 4)).all()
    add("alpha.webp", picture(21, 34, 4), "RGB and alpha, 8 bit, lossless WebP")
    rgb.save(OUT / "turned.webp", lossless=True, exif=exif(8))
    add("turned.webp", picture(21, 34), "EXIF says: turn 90 degrees counter-clockwise", orientation=8)
    rgb.save(OUT / "animated.webp", save_all=True, append_images=[rgb.rotate(180)])
    refuse("animated.webp", "animated")


def make_tiff_pillow():
    rgb = picture(21, 34)
    for name, compression, note in (
        ("plain", None, "RGB, 8 bit, uncompressed"),
        ("lzw", "tiff_lzw", "RGB, 8 bit, LZW"),
        ("deflate", "tiff_adobe_deflate", "RGB, 8 bit"),
        ("packbits", "packbits", "PackBits"),
        ("zstd", "zstd", "Zstandard"),
    ):
        file = f"rgb_{name}.tif"
        Image.fromarray(rgb).save(OUT / file, compression=compression)
        assert (read(file, "RGB") == rgb).all()
        add(file, rgb, note)
    Image.fromarray(rgb).save(OUT / "rgb_jpeg.tif", compression="jpeg")
    add("rgb_jpeg.tif", read("rgb_jpeg.tif", "RGB"), "RGB, 8 bit, JPEG")
    rgba = picture(21, 34, 4)
    Image.fromarray(rgba).save(OUT / "rgba.tif", compression="tiff_lzw")
    add("rgba.tif", rgba, "RGB and alpha, 8 bit, LZW")
    indices = (np.arange(35).reshape(5, 7) * 37 % 21).astype(np.uint8)
    image = Image.frombytes("P", (7, 5), indices.tobytes())
    image.putpalette([part for index in range(256) for part in (index, 255 - index, index // 2)])
    image.save(OUT / "palette.tif")
    add("palette.tif", indices, "palette indices, 8 bit", palette_5=[5, 250, 2])
    bits = (np.arange(21 * 34).reshape(21, 34) % 5 < 2)
    Image.fromarray(bits).save(OUT / "bits_fax4.tif", compression="group4")
    assert (read("bits_fax4.tif", "1") == bits).all()
    with tifffile.TiffFile(OUT / "bits_fax4.tif") as file:
        white_is_zero = file.pages[0].photometric == tifffile.PHOTOMETRIC.MINISWHITE
    stored = (~bits if white_is_zero else bits).astype(np.uint8)
    add("bits_fax4.tif", stored, "grey, 1 bit, fax compression")
    Image.fromarray(rgb).convert("CMYK").save(OUT / "cmyk.tif")
    refuse("cmyk.tif", "CMYK")


def make_tiff_tifffile():
    ramp = np.arange(21 * 34).reshape(21, 34)
    arrays = {
        "u8": (ramp % 256).astype(np.uint8), "i8": (ramp % 256 - 128).astype(np.int8),
        "u16": (ramp * 91).astype(np.uint16), "i16": (ramp * 91 - 30000).astype(np.int16),
        "u32": (ramp * 6_000_000).astype(np.uint32), "i32": (ramp * 6_000_000 - 2**31).astype(np.int32),
        "f16": (ramp / 8 - 20).astype(np.float16), "f32": (ramp / 7).astype(np.float32),
        "f64": (ramp / 7).astype(np.float64),
    }
    arrays["f32"][3, 4], arrays["f32"][5, 6] = np.nan, np.inf
    for name, array in arrays.items():
        for order, mark in (("le", "<"), ("be", ">")):
            file = f"{name}_{order}.tif"
            tifffile.imwrite(OUT / file, array, byteorder=mark, photometric="minisblack", rowsperstrip=8)
            np.testing.assert_array_equal(tifffile.imread(OUT / file), array)
            note = f"grey, {array.dtype.itemsize * 8} bit{' float' if name[0] == 'f' else ''}, uncompressed"
            add(file, array, note, "tifffile")
    tifffile.imwrite(OUT / "white.tif", arrays["u8"], photometric="miniswhite")
    add("white.tif", arrays["u8"], "0 is white (MinIsWhite)", "tifffile")
    large = picture(37, 50)
    tifffile.imwrite(OUT / "tiles.tif", large, tile=(16, 32), photometric="rgb", compression="zlib")
    add("tiles.tif", large, "RGB, 8 bit", "tifffile")
    planes = np.moveaxis(large, -1, 0)
    for name, extra in (("planes", {"rowsperstrip": 5}), ("plane_tiles", {"tile": (16, 16)})):
        tifffile.imwrite(OUT / f"{name}.tif", planes, planarconfig="separate", photometric="rgb", **extra)
        with tifffile.TiffFile(OUT / f"{name}.tif") as file:
            assert file.pages[0].planarconfig == 2
        add(f"{name}.tif", large, "RGB, 8 bit", "tifffile")
    wide = (large.astype(np.uint16) * 257)[..., :3]
    tifffile.imwrite(OUT / "rgb16_big.tif", wide, bigtiff=True, photometric="rgb", byteorder=">")
    add("rgb16_big.tif", wide, "RGB, 16 bit", "tifffile")
    with tifffile.TiffWriter(OUT / "pages.tif") as writer:
        for array in (arrays["u8"], arrays["f32"], large):
            photometric = "rgb" if array.ndim == 3 else "minisblack"
            writer.write(array, photometric=photometric, metadata=None)
    for index, array in enumerate((arrays["u8"], arrays["f32"], large)):
        np.testing.assert_array_equal(tifffile.imread(OUT / "pages.tif", key=index), array)
        add("pages.tif", array, "8 bit" if index != 1 else "32 bit float", "tifffile", key=f"page{index + 1}")
    tifffile.imwrite(OUT / "turned.tif", arrays["u8"], photometric="minisblack", extratags=[(274, 3, 1, 3, True)])
    add("turned.tif", arrays["u8"], "EXIF says: turn 180 degrees", "tifffile", orientation=3)
    tifffile.imwrite(OUT / "complex.tif", np.zeros((4, 5), np.complex64), photometric="minisblack")
    refuse("complex.tif", "complex")


def make_png():
    indices = (np.arange(35).reshape(5, 7) % 3).astype(np.uint8)
    image = Image.frombytes("P", (7, 5), indices.tobytes())
    image.putpalette([0, 0, 0, 10, 20, 30, 40, 50, 60])
    image.save(OUT / "clear.png", transparency=bytes([0, 128]))
    assert (read("clear.png", "P") == indices).all()
    add("clear.png", indices, "palette indices, 2 bit", alpha=[0, 128, 255])
    grey = (np.arange(35).reshape(5, 7) * 7).astype(np.uint8)
    Image.fromarray(grey).save(OUT / "turned.png", exif=exif(5))
    add("turned.png", grey, "EXIF says: swap rows and columns", orientation=5)


def check(cli):
    """What the command writes is what Pillow reads."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        labels = (np.arange(35).reshape(5, 7) * 37 % 256).astype(np.int32)
        np.save(folder / "labels.npy", labels)
        np.save(folder / "many.npy", labels * 250)
        for source, name, mode, wanted in (
            ("labels.npy", "png-palette", "P", labels), ("labels.npy", "png-grey8", "L", labels),
            ("labels.npy", "png-grey16", "I;16", labels), ("many.npy", "png-grey16", "I;16", labels * 250),
        ):
            subprocess.run([cli, "convert", folder / source, folder / "out.png", "--to", name], check=True)
            with Image.open(folder / "out.png") as image:
                assert image.mode == mode, (name, image.mode)
                np.testing.assert_array_equal(np.asarray(image), wanted)
                if mode == "P":
                    palette = image.getpalette()
                    assert len(palette) == 768 and palette[3:6] == [128, 0, 0]
                    assert palette[45:48] == [192, 128, 128] and palette[765:] == [224, 224, 192]
        for source in ("clear.png", "palette.tif"):
            subprocess.run([cli, "convert", OUT / source, folder / "out.png"], check=True)
            with Image.open(OUT / source) as before, Image.open(folder / "out.png") as after:
                assert after.mode == "P"
                np.testing.assert_array_equal(np.asarray(after.convert("RGBA")), np.asarray(before.convert("RGBA")))
        check_coco(cli, folder)
    print("Pillow and pycocotools read what was written")


def check_coco(cli, folder):
    from pycocotools.coco import COCO  # only needed here

    labels = np.zeros((40, 50), np.uint8)
    labels[3:20, 5:30], labels[8:12, 9:15], labels[25:38, 20:44], labels[21, 31] = 7, 0, 200, 7
    np.save(folder / "labels.npy", labels)
    for name, filled in (("coco-rle", False), ("coco-polygon", True)):
        subprocess.run([cli, "convert", folder / "labels.npy", folder / "out.json", "--to", name, "--allow-loss"],
                       check=True)
        coco = COCO(folder / "out.json")
        wanted = labels.copy()
        if filled:
            wanted[8:12, 9:15] = 7
        assert sorted(coco.getCatIds()) == [7, 200]
        for annotation in coco.loadAnns(coco.getAnnIds()):
            mask = coco.annToMask(annotation)
            np.testing.assert_array_equal(mask, wanted == annotation["category_id"])


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        return check(sys.argv[2])
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    make_jpeg()
    make_webp()
    make_tiff_pillow()
    make_tiff_tifffile()
    make_png()
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    text = f'{{\n"made_with": {json.dumps(VERSIONS)},\n"files": [\n{lines}\n]\n}}\n'
    (OUT / "manifest.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
