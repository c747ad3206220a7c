import Testing

/// The console in a real browser. One at a time: a browser takes much memory.
@Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(
        if: ChromeDriver.isInstalled, "needs chromium and chromium-driver: see 'make test-console'")
)
struct BrowserTests {}
