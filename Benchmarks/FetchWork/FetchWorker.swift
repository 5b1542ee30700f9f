import Base
package import BenchProcess
package import HTTPCaching
import LinuxIO
package import MediaFetcher
import NotificationModel

/// The measured side, which does one kind of work in a process of its own. Descriptor 3 carries its measurements.
///
/// The worker gets a kind of work and its numbers as arguments, and the words that start a step as messages. The worker
/// contains only the fetcher, because the curl tool contains little more than libcurl. The downloaded bytes go to files
/// without a name in a directory. The worker throws a `BenchFailure` if the kind is unknown, if a byte is missing, or
/// if the benchmark ends.
///
/// The tasks run on the thread of the fetcher, like the media items of the daemon (`NotificationPipeline.executor`). The
/// kinds `stalled` and `cancel` cancel their stalled fetches. A worker that waits for a message fails when the benchmark
/// has ended.
package final class FetchWorker: Sendable {
    package static let vocabulary = Arguments.Vocabulary(
        flags: ["secure", "shipped"],
        names: [
            "address", "ca-file", "count", "hosts", "parallel", "port", "root", "stalled-address", "stalled",
            "transcoder",
            "worker",
        ])

    package let arguments: Arguments
    /// The size of each file, in bytes.
    package static let fileBytes = 65_536

    /// The number of transfers at a time.
    package let parallel: Int
    package let count: Int
    let root: String
    private let cache: (any ResponseStoring)?
    private let parent: Guarded<MessageSocket>

    /// - Parameter cache: The store of the HTTP cache; `nil` if responses are not stored.
    package init(_ arguments: Arguments, cache: (any ResponseStoring)? = nil) throws {
        self.arguments = arguments
        self.cache = cache
        parallel = try arguments.number("parallel", else: 64)
        count = try arguments.number("count", else: 1)
        root = try arguments.required("root")
        parent = Guarded(MessageSocket(OwnedDescriptor(adopting: 3)))
    }

    package func run(_ kind: String) async throws {
        switch kind {
        case "downloads": try await download()
        case "stalled": try await downloadBesideStalled()
        case "cancel": try await cancelStalled()
        // This kind of work measures only the start and the end of a fetcher.
        case "nothing": try await withFetcher(connections: parallel) { _ in }
        default: throw BenchFailure("--worker \(kind) is not a kind of work")
        }
    }

    package func tell(_ text: String) throws { try parent.withLock { try $0.send(Array(text.utf8)) } }

    /// Blocks this thread until the benchmark sends a message.
    func waitForWord() throws {
        let message = try parent.withLock { socket in try socket.receive(upTo: 64, within: .seconds(300)) != nil }
        guard message else { throw BenchFailure("the benchmark has ended") }
    }

    /// Calls the body with a fetcher.
    ///
    /// - Parameter connections: The number of connections at a time, all of which may go to one host. With `--shipped`,
    ///   the default limits apply instead.
    package func withFetcher(
        connections: Int, _ body: (HTTPMediaFetcher) async throws -> Void
    ) async throws {
        var policy = FetchPolicy()
        policy.addresses.allowed = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }
        policy.caFile = arguments["ca-file"]
        if !isShipped {
            policy.limits.connections = connections
            policy.limits.connectionsPerHost = connections
        }
        // No time limit may end stalled transfers, because the benchmark cancels them.
        policy.limits.firstByte = .seconds(3_600)
        let fetcher = try HTTPMediaFetcher(policy: policy, store: cache, userAgent: "fetch-bench")
        do { try await body(fetcher) } catch {
            await fetcher.shutdown()
            throw error
        }
        await fetcher.shutdown()
    }

    private var isShipped: Bool { arguments["shipped"] != nil }

    /// Fetches `count` files, `parallel` at a time. The files have no name, and are removed when the result is
    /// released.
    func downloadAll(_ fetcher: HTTPMediaFetcher) async throws -> [MediaFile] {
        let urls = try arguments.fileURLs()
        let numbers = Numbers()
        let (files, bytes) = await withTaskGroup(of: ([MediaFile], Int).self) { group in
            for _ in 0..<parallel {
                group.addTask(executorPreference: fetcher.executor) { [count, root] in
                    var (files, bytes) = ([MediaFile](), 0)
                    while case let number = numbers.next(), number <= count {
                        if let media = await Self.fetch(urls[number], fetcher, into: root) {
                            files.append(media.file)
                            bytes += media.byteCount
                        }
                    }
                    return (files, bytes)
                }
            }
            return await group.reduce(into: ([MediaFile](), 0)) { all, part in
                all.0 += part.0
                all.1 += part.1
            }
        }
        guard bytes == count * Self.fileBytes else {
            throw BenchFailure("\(bytes) of \(count * Self.fileBytes) bytes arrived")
        }
        return files
    }

    static func fetch(_ url: String, _ fetcher: HTTPMediaFetcher, into directory: String) async -> FetchedMedia? {
        let result = await fetcher.fetch(
            FetchRequest(
                url: url, deadline: .now + .seconds(3_600), trace: StageTrace(),
                makeFile: { () throws(MediaFailure) in try file(in: directory) }))
        switch result {
        case .success(let media): return media
        case .failure(let failure):
            if failure.reason != .cancelled { Console.warn("\(url): \(failure.detail)") }
            return nil
        }
    }
}

private func file(in directory: String) throws(MediaFailure) -> MediaFile {
    do throws(SystemError) { return try AnonymousFile.create(in: directory) } catch {
        throw MediaFailure(.storageFailed, "\(error)")
    }
}

/// A counter that returns 1, 2, 3 and so on, each number once.
private final class Numbers: Sendable {
    private let last = Guarded(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
