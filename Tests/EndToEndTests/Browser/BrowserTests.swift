import Testing

/// The console in a real browser.
@Suite(
    .timeLimit(.minutes(30)),
    .enabled(
        if: ChromeDriver.isInstalled, "needs chromium and chromium-driver: see 'make test-console'")
)
struct BrowserTests {}
