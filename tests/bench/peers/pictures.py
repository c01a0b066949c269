# SPDX-License-Identifier: Apache-2.0
"""Times the Python peers on the picture rows, where they are installed: pictures.py SIDE...

Prints one CSV row a figure, as Google Benchmark's CSV begins: "name",iterations,milliseconds. A peer that is not
installed is named on stderr and passed over. Each peer draws a float32 square into 1600 x 900 pixels.
"""

import os
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np  # noqa: E402


def median_ms(step, times):
    taken = []
    for i in range(times):
        start = time.perf_counter()
        step(i)
        taken.append(time.perf_counter() - start)
    return sorted(taken)[len(taken) // 2] * 1e3


def matplotlib_peer(cells):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    side = len(cells)
    start = time.perf_counter()
    figure = plt.figure(figsize=(16, 9), dpi=100)
    axes = figure.add_axes([0, 0, 1, 1])
    image = axes.imshow(cells, aspect="auto", interpolation="nearest", cmap="viridis")
    figure.canvas.draw()
    first = (time.perf_counter() - start) * 1e3

    def pan(i):
        axes.set_xlim(i, side + i)
        figure.canvas.draw()

    def recolour(i):
        image.set_clim(0.01 * i, 1)
        figure.canvas.draw()

    return first, median_ms(pan, 5), median_ms(recolour, 5)


def pyqtgraph_peer(cells):
    import pyqtgraph as pg

    side = len(cells)
    pg.setConfigOptions(imageAxisOrder="row-major")
    app = pg.mkQApp()
    start = time.perf_counter()
    view = pg.GraphicsView()
    view.resize(1600, 900)
    box = pg.ViewBox()
    view.setCentralItem(box)
    image = pg.ImageItem(cells, levels=(0.0, 1.0))
    box.addItem(image)
    box.setRange(xRange=(0, side), yRange=(0, side), padding=0)
    view.show()

    def paint():
        app.processEvents()
        view.viewport().repaint()

    paint()
    first = (time.perf_counter() - start) * 1e3

    def pan(i):
        box.setRange(xRange=(i, side + i), yRange=(0, side), padding=0)
        paint()

    def recolour(i):
        image.setLevels((0.01 * i, 1.0))
        paint()

    return first, median_ms(pan, 9), median_ms(recolour, 5)


def silx_peer(cells):
    from silx.gui import qt
    from silx.gui.plot import PlotWidget

    side = len(cells)
    app = qt.QApplication.instance() or qt.QApplication([])
    start = time.perf_counter()
    plot = PlotWidget(backend="mpl")
    plot.resize(1600, 900)
    plot.addImage(cells, resetzoom=True)
    plot.show()

    def paint():
        plot.replot()
        app.processEvents()

    paint()
    first = (time.perf_counter() - start) * 1e3

    def pan(i):
        plot.setLimits(i, side + i, 0, side)
        paint()

    return first, median_ms(pan, 5), float("nan")


def vispy_peer(cells):
    import vispy

    vispy.use("PyQt6")
    from vispy import scene

    side = len(cells)
    start = time.perf_counter()
    canvas = scene.SceneCanvas(size=(1600, 900), show=True)
    view = canvas.central_widget.add_view()
    image = scene.visuals.Image(cells, parent=view.scene, cmap="viridis", clim=(0, 1), texture_format="r32f")
    view.camera = scene.PanZoomCamera(rect=(0, 0, side, side))
    canvas.app.process_events()
    canvas.render()
    first = (time.perf_counter() - start) * 1e3

    def pan(i):
        view.camera.rect = (i, 0, side, side)
        canvas.app.process_events()
        canvas.render()

    def recolour(i):
        image.clim = (0.01 * i, 1.0)
        canvas.app.process_events()
        canvas.render()

    return first, median_ms(pan, 5), median_ms(recolour, 5)


def main():
    peers = {"pyqtgraph": pyqtgraph_peer, "matplotlib": matplotlib_peer, "silx": silx_peer}
    # vispy, which draws for napari, needs OpenGL and so a display.
    if os.environ.get("DISPLAY"):
        peers["vispy"] = vispy_peer
    for argument in sys.argv[1:]:
        side = int(argument)
        cells = np.random.default_rng(0).random((side, side), dtype=np.float32)
        for name, peer in peers.items():
            child = os.fork()
            if child:  # each peer has a process of its own, so that one cannot slow the next
                os.waitpid(child, 0)
                continue
            try:
                for what, value in zip(("first", "pan", "range"), peer(cells)):
                    if value == value:
                        print(f'"{name}/{what}/{side}",1,{value:.3f}', flush=True)
            except Exception as error:  # an import that fails, a driver that is missing
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(0)


main()
