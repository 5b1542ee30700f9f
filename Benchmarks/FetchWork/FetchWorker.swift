package import BenchProcess
package import HTTPCaching
import LinuxIO
package import MediaFetcher
import NotificationModel

/// The measured side: does one thing in a process of its own and tells over descriptor 3 what only it can know.
///
/// It is the fetcher and nothing else, as the curl tool is libcurl and little else: what comes goes to nameless files in a
/// folder.
package final class FetchWorker: Sendable {
    package static let vocabulary = Arguments.Vocabulary(
        flags: ["secure", "shipped"],
        names: [
            "address", "ca-file", "count", "hosts", "parallel", "port", "root", "stalled-address", "stalled",
            "transcoder",
            "worker",
        ])

    package let arguments: Arguments
    /// What each file has.
    package static let fileBytes = 65_536

    /// Transfers at a time.
    package let parallel: Int
    package let count: Int
    let root: String
    private let cache: (any ResponseStoring)?
    private let parent: Guarded<MessageSocket>

    /// - Parameter cache: where responses are kept; `nil`: nowhere.
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
        // The start and the end of a fetcher.
        case "nothing": try await withFetcher(connections: parallel) { _ in }
        default: throw BenchFailure("--worker \(kind) is not known")
        }
    }

    package func tell(_ text: String) throws { try parent.withLock { try $0.send(Array(text.utf8)) } }

    /// Waits on this thread until the bench says so.
    func waitForWord() throws {
        let message = try parent.withLock { socket in try socket.receive(upTo: 64, within: .seconds(300)) != nil }
        guard message else { throw BenchFailure("the bench is gone") }
    }

    /// - Parameter connections: at a time, all of them to one host, unless the default limits are asked for.
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
        // Nothing may end what stands still but us.
        policy.limits.firstByte = .seconds(3_600)
        let fetcher = try HTTPMediaFetcher(policy: policy, store: cache, userAgent: "fetch-bench")
        do { try await body(fetcher) } catch {
            await fetcher.shutdown()
            throw error
        }
        await fetcher.shutdown()
    }

    private var isShipped: Bool { arguments["shipped"] != nil }

    /// Where the tasks that fetch live: on the pool's threads as in the daemon where `--shipped` says so, else on the
    /// fetcher's own, as the curl tool has only one.
    func executor(of fetcher: HTTPMediaFetcher) -> (any TaskExecutor)? {
        isShipped ? nil : fetcher.executor
    }

    /// Fetches `count` files, `parallel` at a time. They are nameless: who lets go of what is returned removes them.
    func downloadAll(_ fetcher: HTTPMediaFetcher) async throws -> [MediaFile] {
        let urls = try arguments.fileURLs()
        let numbers = Numbers()
        let executor = executor(of: fetcher)
        let (files, bytes) = await withTaskGroup(of: ([MediaFile], Int).self) { group in
            for _ in 0..<parallel {
                group.addTask(executorPreference: executor) { [count, root] in
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
            throw BenchFailure("\(bytes) bytes came of \(count * Self.fileBytes)")
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
            if failure.reason != .cancelled { Console.complain("\(url): \(failure.detail)") }
            return nil
        }
    }
}

private func file(in directory: String) throws(MediaFailure) -> MediaFile {
    do throws(SystemError) { return try AnonymousFile.create(in: directory) } catch {
        throw MediaFailure(.storageFailed, "\(error)")
    }
}

/// 1, 2, 3 and so on, each once.
private final class Numbers: Sendable {
    private let last = Guarded(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
