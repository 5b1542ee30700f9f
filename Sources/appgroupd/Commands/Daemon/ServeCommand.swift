import ArgumentParser
import FeatureKit
import Glibc
import HTTPAPI
import LinuxIO
import ServiceConfiguration
import Telemetry

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the daemon, which takes payloads as files and over HTTP.",
        discussion: """
            Files: write a payload file into ROOT/GROUP/incoming, and read the result from ROOT/GROUP/outbox. The name \
            of the result file is the name of the payload file, or the id in the envelope. A payload file that cannot \
            be used is moved to ROOT/GROUP/rejected, where NAME.error.json has the reason. HTTP: POST \
            /v1/notifications returns the result, on the unix socket and on loopback.

            The daemon writes each request to the disk before it accepts the request, and emits one result for each \
            accepted request. When the daemon starts after a crash, it continues all requests with their original \
            deadlines.

            SIGTERM or SIGINT: the daemon accepts no new requests, emits the results of the accepted requests, and \
            exits. A second signal ends the daemon at once. SIGHUP: the daemon reads the configuration again.

            With systemd, the daemon reports its state and feeds the watchdog (sd_notify), and takes the sockets of \
            socket units, so that no connection is refused while it is started again.

            Examples:
              appgroupd serve --root ./var &
              sleep 1; cp payload.json ./var/group.default/incoming/
              sleep 1; cat ./var/group.default/outbox/payload.json
              curl --unix-socket ./var/appgroupd.sock -d @payload.json \\
                http://localhost/v1/notifications
              appgroupd status --root ./var
            """)

    @OptionGroup var options: RuntimeOptions
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let reloading = await ReloadSignal()
        let loader = ConfigurationLoader(options, profile.flags + daemon.flags(verbosity), checks: .ofDaemon)
        let configuration = try loader.loaded()
        let passed = try Self.passedRoles(configuration)
        if let problem = DescriptorBudget.problem(with: configuration) { throw CommandFailure(.usage, problem) }
        let metrics = MetricsRegistry(descriptions: MetricDescriptions.all)
        let telemetry: Telemetry
        do throws(LogDestinationError) {
            telemetry = try Telemetry.bootstrap(LogSettings(configuration.log), metrics: metrics)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        metrics.add {
            let help = "Always 1; the label is the program's version."
            return [MetricFamily("appgroupd_build_info", by: "version", [Installation.version: 1], help: help)]
        }
        try await Daemon(configuration, passed: passed, telemetry: telemetry).run(reloading) {
            loader.load(keeping: $0)
        }
    }

    /// Returns the uses of the sockets that a service manager has passed. Throws a failure with status 2 for a socket that
    /// the daemon cannot use.
    private static func passedRoles(_ configuration: Configuration) throws(CommandFailure) -> PassedRoles {
        let sockets: [PassedSocket]
        do throws(PassedSockets.Refused) { sockets = try PassedSockets.take() } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        do throws(HTTPServerError) {
            let roles = try PassedRoles(sockets, configuration)
            if let problem = HTTPServerSettings(configuration, passed: roles).problem { throw problem }
            return roles
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}
