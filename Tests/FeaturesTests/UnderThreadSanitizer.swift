// The suites of this directory run under the thread sanitizer, apart from those named …PlainTests (CONTRIBUTING.md).
