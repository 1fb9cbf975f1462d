// The peer's end of the line protocol: see the package comment of peers.go.
// A peer defines run() and ends its main with `return peer_serve(name, run);`.
#ifndef NUMATEAM_PEER_H
#define NUMATEAM_PEER_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double peer_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds on the clock that all measurements use.
static inline double peer_now(void) { return peer_clock(CLOCK_MONOTONIC); }

// Hands one measurement, in seconds, to the driver.
static inline void peer_sample(double seconds) { printf("%.10g ", seconds); }

// Waits until this process's idle threads have stopped spinning (libomp spins for 200
// ms, libgomp for some), so that they don't take CPU from whoever measures next. Gives
// up after half a second.
static inline void peer_settle(void) {
    const struct timespec nap = {0, 5000000};
    for (int i = 0; i < 100; i++) {
        double before = peer_clock(CLOCK_PROCESS_CPUTIME_ID);
        nanosleep(&nap, NULL);
        if (peer_clock(CLOCK_PROCESS_CPUTIME_ID) - before < 0.0005) return;
    }
}

// Reads requests until the end of input; an interrupt, which a terminal sends to all of
// its programs, is the driver's business. run gets the words of one request; it calls
// peer_sample for each measurement and returns NULL, or returns a text that says what
// went wrong.
static inline int peer_serve(const char *name, const char *(*run)(int argc, char **argv)) {
    char line[4096], *argv[32];
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    printf("ready %s\n", name);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        int argc = 0;
        for (char *w = strtok(line, " \n"); w && argc < 32; w = strtok(NULL, " \n")) argv[argc++] = w;
        if (argc == 0) continue;
        const char *wrong = run(argc, argv);
        peer_settle();
        if (wrong) printf("error %s", wrong);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}

#endif
