// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/runnable.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

namespace maskscope::script {
namespace {

struct ImportRow {
    std::string_view name;
    std::string_view line;
};

constexpr std::array<ImportRow, 5> kImports = {{{"torch", "import torch"},
                                                {"F", "import torch.nn.functional as F"},
                                                {"nn", "from torch import nn"},
                                                {"math", "import math"},
                                                {"np", "import numpy as np"}}};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// `name.` with no word before it: "F.softmax", not "cfg.F.x" or "GIF.x".
bool uses(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool starts = at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
        const std::size_t end = at + name.size();
        if (starts && end < text.size() && text[end] == '.') return true;
    }
    return false;
}

bool binds(const Module& module, std::string_view name) {
    return std::find(module.scope.locals.begin(), module.scope.locals.end(), name) != module.scope.locals.end();
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string load_line(const Binding& binding, std::set<std::string_view>& needs) {
    const std::string path = quoted(binding.path);
    const std::string key = binding.key.empty() ? "" : "[" + quoted(binding.key) + "]";
    std::string loaded;
    if (binding.path.ends_with(".safetensors")) {
        needs.insert("from safetensors.torch import load_file");
        loaded = "load_file(" + path + ")" + key;
    } else if (binding.path.ends_with(".pt") || binding.path.ends_with(".pth") || binding.path.ends_with(".bin")) {
        loaded = "torch.load(" + path + ", map_location=\"cpu\")" + key;
    } else if (binding.path.ends_with(".csv")) {
        needs.insert("import numpy as np");
        loaded = "torch.from_numpy(np.loadtxt(" + path + ", delimiter=\",\", dtype=np.float32))";
    } else if (binding.path.ends_with(".png")) {
        needs.insert("import numpy as np");
        needs.insert("from PIL import Image");
        loaded = "torch.from_numpy(np.array(Image.open(" + path + ")))";
    } else {
        needs.insert("import numpy as np");
        loaded = "torch.from_numpy(np.load(" + path + ")" + key + ")";
    }
    std::string name = binding.name;
    if (name.starts_with("self.")) needs.insert("from types import SimpleNamespace");
    return name + " = " + loaded + binding.slice + "\n";
}

}  // namespace

std::string as_runnable(const Module& module, const std::vector<Binding>& bindings) {
    const std::string& text = module.source.text();
    std::set<std::string_view> lines;
    std::string loads;
    bool has_self = false;
    for (const auto& binding : bindings) {
        has_self = has_self || binding.name.starts_with("self.");
        loads += load_line(binding, lines);
    }
    std::string out;
    for (const auto& row : kImports) {
        const bool needed = (row.name == "torch" && !bindings.empty()) || uses(text, row.name);
        if (needed && !binds(module, row.name)) {
            out += std::string(row.line) + "\n";
            lines.erase(row.line);
        }
    }
    for (const auto line : lines) out += std::string(line) + "\n";
    if (!out.empty()) out += "\n";
    if (has_self) out += "self = SimpleNamespace()\n";
    out += loads;
    if (!loads.empty()) out += "\n";
    return out + text;
}

}  // namespace maskscope::script
