import ArgumentParser
import Glibc
import HTTPAPI
import Ingress
import LinuxIO
import ServiceConfiguration
import Telemetry

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve: watch the spool, answer HTTP, emit contents in time.",
        discussion: """
            A payload file that is dropped into ROOT/GROUP/incoming becomes a content in ROOT/GROUP/outbox, under the \
            same name; an unusable one goes to ROOT/GROUP/rejected, beside the reason. Over HTTP, on a unix socket and \
            on loopback, POST /v1/notifications does the same.

            What is accepted is on the disk before it is answered, and is emitted once, whatever happens in between; \
            after a crash the next start goes on, with the original deadlines. SIGTERM ends when the last request is \
            emitted, a second one at once. SIGHUP reads the configuration again.

            Examples:
              appgroupd serve --root ./var &
              sleep 1; cp payload.json ./var/group.default/incoming/
              sleep 1; cat ./var/group.default/outbox/payload.json
              curl --unix-socket ./var/appgroupd.sock -d @payload.json \\
                http://localhost/v1/notifications
              appgroupd status --root ./var
            """)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        // Until it is ready there is nothing to reload.
        signal(SIGHUP, SIG_IGN)
        let loader = ConfigurationLoader(options, daemon.flags(options.runtime.verbosity), checks: .ofDaemon)
        let configuration = try loader.loaded()
        let telemetry: Telemetry
        do {
            telemetry = try Telemetry.bootstrap(
                level: configuration.log.level.level, format: configuration.log.format.format,
                metrics: MetricsRegistry(
                    descriptions: CoordinatorMetrics.meanings.merging(ContainerLog.meanings) { first, _ in first }
                        .merging(FetchMetrics.meanings) { first, _ in first }
                        .merging(WorkerLog.meanings) { first, _ in first }
                        .merging(HTTPMetrics.meanings) { first, _ in first }
                        .mapValues { MetricDescription(help: $0) }))
        } catch {
            throw CommandFailure(.failed, "the log's thread cannot be started: \(error)")
        }
        telemetry.metrics.add {
            [
                MetricFamily(
                    name: "appgroupd_build_info", kind: .gauge, help: "Always 1; the label is the program's version.",
                    samples: [.init(labels: [MetricLabel(name: "version", value: Appgroupd.version)], value: 1)])
            ]
        }
        try await Daemon(configuration, telemetry: telemetry).run { loader.load() }
    }
}

extension Configuration.Log.Format {
    fileprivate var format: LogFormat {
        switch self {
        case .auto: .auto
        case .text: .text
        case .json: .json
        }
    }
}
