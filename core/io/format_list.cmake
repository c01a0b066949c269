# SPDX-License-Identifier: Apache-2.0
# One stem a line; <stem>.cpp exports <stem>_format(). The first format that recognises a file reads it.
set(MASKSCOPE_FORMATS
  npy
  npz
  safetensors
  torch_zip
  png
  jpeg
  tiff
  webp
  coco
  labels
  csv)
