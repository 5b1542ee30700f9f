import LinuxIO
import Testing

@Suite struct WatchdogSettingsTests {
    @Test(
        arguments: [
            ([:], nil), (["WATCHDOG_USEC": "60000000"], Duration.seconds(60)),
            (["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "7"], .milliseconds(1_500)),
            (["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "soon"], nil),
        ] as [([String: String], Duration?)]) func `the interval is that of the variables for this process`(
            _ variables: [String: String], _ interval: Duration?
        )
    {
        #expect(WatchdogSettings.interval(processIdentifier: 7) { variables[$0] } == interval)
    }
}
