/* boxwood-bench: how fast, and beside whom. */
#include "benches.h"
#include "options.h"
#include "peers/peers.h"
#include "state.h"

#include <boxwood/base.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void list(FILE *to)
{
    for (const bench_entry *e = bench_entries; e->name != NULL; e++)
        fprintf(to, "%-14s %s\n", e->name, e->what);
}

static const bench_entry *find(const char *name)
{
    for (const bench_entry *e = bench_entries; e->name != NULL; e++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

static void run(bench *b, const bench_entry *e)
{
    b->name = e->name;
    e->run(b);
}

int main(int argc, char **argv)
{
    options asked;
    switch (options_parse(argc, argv, &asked)) {
    case OPTIONS_LIST:
        list(stdout);
        return 0;
    case OPTIONS_HELP:
        options_help();
        return 0;
    case OPTIONS_VERSION:
        printf("boxwood-bench %s\n", bw_version_string());
        return 0;
    case OPTIONS_ERROR:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    if (asked.name_count == 0) {
        fputs("boxwood-bench: name a bench, or all; these stand:\n", stderr);
        list(stderr);
        return 2;
    }
    if (asked.peers && bw_peers[0] == NULL) {
        fputs("boxwood-bench: --peers: this program was built without the other libraries. Run ./dev bench\n"
              "with --peers, which builds it with them, or\n"
              "  cmake --preset peers && cmake --build --preset peers\n"
              "which needs libfcl-dev libbullet-dev libode-dev libembree-dev libcgal-dev.\n",
              stderr);
        return 2;
    }
    for (size_t i = 0; i < asked.name_count; i++)
        if (strcmp(asked.names[i], "all") != 0 && find(asked.names[i]) == NULL) {
            fprintf(stderr, "boxwood-bench: %s: no such bench (see boxwood-bench --list)\n", asked.names[i]);
            return 2;
        }

    bench b = {.options = &asked, .progress = isatty(STDERR_FILENO) != 0};
    for (size_t i = 0; i < asked.name_count; i++) {
        if (strcmp(asked.names[i], "all") != 0) {
            run(&b, find(asked.names[i]));
            continue;
        }
        for (const bench_entry *e = bench_entries; e->name != NULL; e++)
            run(&b, e);
    }
    if (b.cases == 0) {
        fputs("boxwood-bench: no case or implementation of that name\n", stderr);
        return 2;
    }
    if (b.disagreed) {
        fputs("boxwood-bench: exact implementations DISAGREE on what they found (see the rows named hits)\n",
              stderr);
        return 1;
    }
    return 0;
}
