import Testing

/// The console in a real browser.
@Suite(
    // The tests begin together and wait for each other: it is the time of all of them. Each wait in
    // them has a limit of its own.
    .timeLimit(.minutes(120)),
    .enabled(
        if: Chromium.isInstalled, "needs chromium: see 'make test-console'")
)
struct BrowserTests {}
