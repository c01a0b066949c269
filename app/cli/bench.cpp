// SPDX-License-Identifier: Apache-2.0
// maskscope-cli bench: what masked computation costs here, beside the least that this machine could need.
#include "app/cli/engine_rows.h"
#include "app/cli/layout.h"
#include "app/cli/output.h"
#include "core/jobs/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <regex>

namespace maskscope::cli {
namespace {

constexpr double kEnoughSeconds = 0.3;  // for a row and its limit on one number of threads
constexpr std::size_t kFewest = 5;
constexpr std::size_t kMost = 200;
constexpr double kTooLong = 3;

struct Options {
    std::string filter;
    bool list = false;
};

struct Times {
    std::vector<double> row;
    std::vector<double> limit;
};

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

struct Measured {
    const EngineRow* row = nullptr;
    int threads = 0;
    std::string_view limit;
    Times times;

    double median() const { return quantile(times.row, 0.5); }
    double limit_median() const { return quantile(times.limit, 0.5); }
    double bytes() const { return row->load.read_bytes + row->load.write_bytes; }
    double share() const { return limit_median() / median(); }
};

Json row_json(const EngineRow& row) {
    return {{"name", row.name}, {"setup", row.setup}, {"expr", row.expression}};
}

Json measured_json(const Measured& measured) {
    const double bytes = measured.bytes();
    const double flops = measured.row->load.flops;
    Json out = row_json(*measured.row);
    out["threads"] = measured.threads;
    out["median_ms"] = measured.median() * 1e3;
    out["p25_ms"] = quantile(measured.times.row, 0.25) * 1e3;
    out["p75_ms"] = quantile(measured.times.row, 0.75) * 1e3;
    out["runs"] = measured.times.row.size();
    out["bytes"] = bytes;
    out["gb_per_s"] = bytes > 0 ? Json(bytes / measured.median() * 1e-9) : Json();
    out["flops"] = flops;
    out["gflop_per_s"] = flops > 0 ? Json(flops / measured.median() * 1e-9) : Json();
    out["limit"] = measured.limit;
    out["limit_ms"] = measured.limit_median() * 1e3;
    out["share"] = measured.share();
    return out;
}

std::string milliseconds(double seconds) {
    return fmt::format("{:.{}f}", seconds * 1e3, seconds < 1e-3 ? 3 : 2);
}

std::string rate_text(const Measured& measured) {
    const double flops = measured.row->load.flops;
    if (flops > 0) return fmt::format("{:.0f} GFLOP/s", flops / measured.median() * 1e-9);
    return fmt::format("{:.1f} GB/s", measured.bytes() / measured.median() * 1e-9);
}

std::string share_text(const Measured& measured) {
    return fmt::format("{:.0f} % of {}", 100 * measured.share(), measured.limit);
}

// One line for each row: on all threads, then on one.
std::string table_text(const std::vector<Measured>& all) {
    Table table;
    table.rows.push_back({"work", "threads", "ms", "rate", "share of the limit", "1 thread, ms", "gain"});
    table.right = {false, true, true, true, false, true, true};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& measured = all[i];
        if (i > 0 && all[i - 1].row == measured.row) {
            table.rows.back()[5] = milliseconds(measured.median());
            table.rows.back()[6] = fmt::format("{:.1f} x", measured.median() / all[i - 1].median());
            continue;
        }
        table.rows.push_back({measured.row->name, std::to_string(measured.threads), milliseconds(measured.median()),
                              rate_text(measured), share_text(measured), "", ""});
    }
    return table.text("") +
           "\nThe limit is a pass over memory that only reads and writes as many bytes (read, copy, fill), or as many "
           "flops of\nfloat32 multiply-adds (fma); it is measured in turns with the work. Medians.\n";
}

// The number of threads is the process's; it is put back.
class Threads {
public:
    Threads() : before_(thread_count()) {}
    ~Threads() { set_thread_count(before_); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

private:
    int before_;
};

class Bench {
public:
    explicit Bench(const JobContext& context) : context_(context) {}

    Result<void> add(const EngineRow& row) {
        MS_TRY(runner, RowRunner::make(row, context_));
        MS_TRY(limit, MachineLimit::make(row.load));
        const Threads restored;
        const int most = thread_count();
        for (const int threads : most > 1 ? std::vector<int>{most, 1} : std::vector<int>{1}) {
            set_thread_count(threads);
            Measured measured{&row, threads, limit.name(), {}};
            MS_CHECK(measure(runner, limit, measured.times));
            all_.push_back(std::move(measured));
        }
        return {};
    }

    const std::vector<Measured>& all() const { return all_; }

private:
    // In turns, so that both meet the same neighbours and clock rates. The first of each only warms up.
    Result<void> measure(RowRunner& runner, MachineLimit& limit, Times& times) const {
        double spent = 0;
        for (std::size_t i = 0; i <= kMost; ++i) {
            if (context_.cancelled()) return cancelled_error();
            const double least = limit.seconds();
            MS_TRY(taken, runner.seconds());
            spent += taken + least;
            if (i > 0) {
                times.limit.push_back(least);
                times.row.push_back(taken);
            }
            if ((times.row.size() >= kFewest && spent > kEnoughSeconds) || (i > 0 && spent > kTooLong)) break;
        }
        return {};
    }

    JobContext context_;
    std::vector<Measured> all_;
};

void note_neighbours(Environment& environment) {
    double load = 0;
    if (getloadavg(&load, 1) == 1 && load > 0.3)
        environment.notes.push_back(fmt::format(
            "maskscope-cli: other processes kept this machine busy (load {:.1f}); the shares suffer least", load));
}

Result<Answer> answer_of(const Options& options, Environment& environment) {
    std::optional<std::regex> filter;
    try {
        if (!options.filter.empty()) filter.emplace(options.filter);
    } catch (const std::regex_error&) {
        return usage_error(MS_TEXT("--filter {} is no regular expression"), options.filter);
    }
    std::vector<const EngineRow*> chosen;
    for (const auto& row : engine_rows())
        if (!filter || std::regex_search(row.name, *filter)) chosen.push_back(&row);
    if (chosen.empty()) {
        std::string names;
        for (const auto& row : engine_rows()) names += (names.empty() ? "" : ", ") + row.name;
        return usage_error(MS_TEXT("--filter {} leaves no row"), options.filter)
            .with_hint(MS_TEXT("There are: {}"), names);
    }
    Answer answer;
    Json rows = Json::array();
    if (options.list) {
        for (const auto* row : chosen) {
            rows.push_back(row_json(*row));
            answer.text += fmt::format("{}  {}\n", row->name, row->expression);
        }
        answer.json = {{"rows", std::move(rows)}};
        return answer;
    }
    note_neighbours(environment);
    Bench bench(environment.context);
    environment.context.expect(static_cast<std::int64_t>(chosen.size()));
    for (const auto* row : chosen) {
        MS_CHECK(bench.add(*row));
        environment.context.advance(1);
    }
    for (const auto& measured : bench.all()) rows.push_back(measured_json(measured));
    answer.json = {{"threads", thread_count()}, {"rows", std::move(rows)}};
    answer.text = table_text(bench.all());
    return answer;
}

}  // namespace

void add_bench(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("bench", "What masked computation costs here, beside what it must cost");
    const auto options = std::make_shared<Options>();
    command->add_option("--filter", options->filter, "Rows whose name this regular expression finds");
    command->add_flag("--list", options->list, "Names and expressions only");
    command->callback([options, &chosen] {
        chosen = [options](Environment& environment) { return answer_of(*options, environment); };
    });
}

}  // namespace maskscope::cli
