// SPDX-License-Identifier: GPL-3.0-or-later
// The peers that are always at hand, measured in the same run as our own pictures: QCustomPlot's QCPColorMap and a
// plain QImage of one pixel a cell. Each draws a float32 square into 1600 x 900 device pixels.
#include <benchmark/benchmark.h>
#include <qcustomplot.h>

#include <QApplication>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

constexpr int kWidth = 1600;
constexpr int kHeight = 900;

// One square is kept at a time: at 32,768 it has 4 GiB.
const std::vector<float>& noise(std::int64_t side) {
    static std::vector<float> cells;
    const auto count = static_cast<std::size_t>(side * side);
    if (cells.size() == count) return cells;
    cells = {};
    cells.resize(count);
    std::uint32_t state = 1;
    for (float& cell : cells) {
        state = state * 1664525U + 1013904223U;
        cell = static_cast<float>(state >> 8U) * 0x1p-24F;
    }
    return cells;
}

class ImageWidget : public QWidget {
public:
    ImageWidget(const std::vector<float>& cells, int side) : cells_(cells), image_(side, side, QImage::Format_RGB32) {
        for (std::uint32_t i = 0; i < 256; ++i) lut_[i] = 0xff000000U | i << 16U | (255U - i) << 8U | i;
        resize(kWidth, kHeight);
        source_ = QRectF(0, 0, side, side);
    }
    void colour(float lo, float hi) {
        const float scale = 255.0F / (hi - lo);
        const auto side = static_cast<std::size_t>(image_.width());
        for (std::size_t row = 0; row < side; ++row) {
            auto* line = reinterpret_cast<std::uint32_t*>(image_.scanLine(static_cast<int>(row)));
            const float* cells = cells_.data() + row * side;
            for (std::size_t col = 0; col < side; ++col) {
                line[col] = lut_[static_cast<std::size_t>(std::clamp((cells[col] - lo) * scale, 0.0F, 255.0F))];
            }
        }
    }
    std::pair<float, float> range() const {
        const auto [lo, hi] = std::minmax_element(cells_.begin(), cells_.end());
        return {*lo, *hi};
    }
    void moveTo(double x) { source_.moveLeft(x); }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.drawImage(QRectF(rect()), image_, source_);
    }

private:
    const std::vector<float>& cells_;
    QImage image_;
    QRectF source_;
    std::array<std::uint32_t, 256> lut_{};
};

void qimage_first(benchmark::State& state) {
    const auto& cells = noise(state.range(0));
    for (auto _ : state) {
        ImageWidget widget(cells, static_cast<int>(state.range(0)));
        const auto [lo, hi] = widget.range();
        widget.colour(lo, hi);
        widget.show();
        QCoreApplication::processEvents();
        widget.repaint();
    }
}

void qimage_pan(benchmark::State& state) {
    ImageWidget widget(noise(state.range(0)), static_cast<int>(state.range(0)));
    widget.colour(0, 1);
    widget.show();
    QCoreApplication::processEvents();  // a window that is not exposed yet does not paint
    int step = 0;
    for (auto _ : state) {
        widget.moveTo(++step % 64);
        widget.repaint();
    }
}

void qimage_range(benchmark::State& state) {
    ImageWidget widget(noise(state.range(0)), static_cast<int>(state.range(0)));
    widget.show();
    QCoreApplication::processEvents();
    float lo = 0;
    for (auto _ : state) {
        widget.colour(lo += 0.001F, 2);
        widget.repaint();
    }
}

struct ColorMap {
    explicit ColorMap(std::int64_t side) {
        const auto& cells = noise(side);
        const int n = static_cast<int>(side);
        plot.resize(kWidth, kHeight);
        map = new QCPColorMap(plot.xAxis, plot.yAxis);  // owned by the plot
        map->data()->setSize(n, n);
        map->data()->setRange(QCPRange(0, n - 1), QCPRange(0, n - 1));
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n; ++x)
                map->data()->setCell(
                    x, y,
                    static_cast<double>(cells[static_cast<std::size_t>(y) * cells.size() / static_cast<std::size_t>(n) +
                                              static_cast<std::size_t>(x)]));
        }
        map->setGradient(QCPColorGradient::gpThermal);
        map->setInterpolate(false);
        map->rescaleDataRange();
        plot.rescaleAxes();
        plot.show();
        plot.replot(QCustomPlot::rpImmediateRefresh);
    }
    QCustomPlot plot;
    QCPColorMap* map = nullptr;
};

void qcp_first(benchmark::State& state) {
    noise(state.range(0));
    for (auto _ : state) ColorMap{state.range(0)};
}

void qcp_pan(benchmark::State& state) {
    ColorMap map(state.range(0));
    for (auto _ : state) {
        map.plot.xAxis->moveRange(1);
        map.plot.replot(QCustomPlot::rpImmediateRefresh);
    }
}

void qcp_range(benchmark::State& state) {
    ColorMap map(state.range(0));
    double lo = 0;
    for (auto _ : state) {
        map.map->setDataRange(QCPRange(lo += 0.001, 1));
        map.plot.replot(QCustomPlot::rpImmediateRefresh);
    }
}

// QCPColorMap keeps doubles and an image: at 32,768 square 12 GiB beyond the data, so it stops at 16,384.
void add_peers(std::int64_t side) {
    const auto add = [side](const char* name, void (*run)(benchmark::State&), int iterations) {
        benchmark::RegisterBenchmark(name, run)
            ->Arg(side)
            ->Iterations(iterations)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    const bool large = side > 8192;
    add("QImage/first", qimage_first, large ? 1 : 3);
    add("QImage/pan", qimage_pan, 15);
    add("QImage/range", qimage_range, large ? 2 : 5);
    if (side > 16384) return;
    add("QCPColorMap/first", qcp_first, large ? 1 : 3);
    add("QCPColorMap/pan", qcp_pan, 15);
    add("QCPColorMap/range", qcp_range, large ? 2 : 5);
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    for (const std::int64_t side : {1024, 4096, 16384, 32768}) add_peers(side);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
