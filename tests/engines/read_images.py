"""Reads images in Blender and writes their pixels as raw float32, the top row first.

blender -b --factory-startup -noaudio --python read_images.py -- FILE...
Writes FILE.pixels and prints for each "PIXELS <width> <height> <channels> <FILE>".
"""
import sys

import bpy
import numpy as np

for path in sys.argv[sys.argv.index('--') + 1:]:
    image = bpy.data.images.load(path)
    # The numbers are data, neither colours nor multiplied with alpha.
    image.colorspace_settings.name = 'Non-Color'
    image.alpha_mode = 'CHANNEL_PACKED'
    width, height = image.size
    pixels = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    pixels.reshape(height, -1)[::-1].astype('<f4').tofile(path + '.pixels')
    print('PIXELS', width, height, image.channels, path)
