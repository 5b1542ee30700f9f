// The suites of this target run under the thread sanitizer, apart from those named …PlainTests (CONTRIBUTING.md).
