// The list of sites, and the one that is out; used by emulator.cpp alone.
#pragma once

#include "sites.hpp"

#include <mutex>
#include <string>
#include <vector>

namespace emulator {

bool watches_sites;

namespace {

struct PassedSite {
    const char *call, *way, *file;
    int line;

    // As requests and answers have it.
    std::string text() const {
        return std::string(call) + '\t' + way + '\t' + file + '\t' + std::to_string(line);
    }
};

std::mutex sites_mutex;
bool lists_sites;
std::vector<PassedSite> passed_sites;
// The text of the site that is out, and its line, which tells most others apart.
std::string site_out;
int line_out;

}  // namespace

bool is_site_out(const char *call, const char *way, const char *file, int line) {
    const PassedSite site = {call, way, file, line};
    if (lists_sites) {
        std::lock_guard<std::mutex> lock(sites_mutex);
        for (const PassedSite &other : passed_sites)
            if (other.line == line && !strcmp(other.call, call) && !strcmp(other.way, way) && !strcmp(other.file, file))
                return false;
        passed_sites.push_back(site);
        return false;
    }
    return line == line_out && site.text() == site_out;
}

void list_sites() {
    passed_sites.clear();
    site_out.clear();
    watches_sites = lists_sites = true;
}

std::string listed_sites() {
    std::string text;
    for (const PassedSite &site : passed_sites) text += site.text() + '\n';
    return text;
}

void take_out_site(const std::string &text) {
    lists_sites = false;
    watches_sites = !text.empty();
    site_out = text;
    line_out = atoi(text.c_str() + text.rfind('\t') + 1);
}

}  // namespace emulator
