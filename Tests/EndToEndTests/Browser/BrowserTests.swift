import Testing

/// The console in a real browser.
@Suite(
    .timeLimit(.minutes(30)),
    .enabled(
        if: Chromium.isInstalled, "needs chromium: see 'make test-console'")
)
struct BrowserTests {}
