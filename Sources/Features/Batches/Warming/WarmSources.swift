import Base
import FeatureKit
import LinuxIO
import NotificationModel

/// The sources of a batch, which are read one after the other.
struct WarmSources: Sendable {
    /// The paths and media URLs of the command line. `-` is standard input.
    let names: [String]
    /// The format of all sources; `nil` if the first byte of a source and the keys of an object decide.
    let format: WarmFormat?
    let items: WarmItemReader

    /// Reads all sources in their order, until the task is cancelled.
    ///
    /// - Parameter deliver: A function that is called with each item and with each problem. The next item is read after
    ///   the function returns.
    func read(_ deliver: (Result<WarmItem, WarmProblem>) async -> Void) async {
        let threads: PayloadThreads
        do throws(SystemError) { threads = try PayloadThreads() } catch {
            return await deliver(.failure(WarmProblem(place: names[0], text: "cannot be read: \(error)")))
        }
        for name in names where !Task.isCancelled {
            guard !Self.isURL(name) else {
                await deliver(.success(items.item(url: name, at: MediaHost.shown(name))))
                continue
            }
            var isEmpty = true
            do throws(SystemError) {
                try await read(try threads.source(of: name), name) { item in
                    isEmpty = false
                    await deliver(item)
                }
            } catch {
                isEmpty = false
                await deliver(.failure(WarmProblem(place: name, text: error.readingProblem)))
            }
            // An empty list may be correct, so it is not reported as a failure.
            if isEmpty, !Task.isCancelled {
                StandardStreams.warn("\(VisibleText.of(name)): this source has no items")
            }
        }
    }

    /// Returns whether a source is a media URL itself.
    static func isURL(_ name: String) -> Bool {
        let reference = URIReference(name)
        return reference.scheme != nil && reference.authority != nil
    }

    /// Returns a message if a source is the URL of a list, which `warm` does not download; otherwise `nil`.
    static func listProblem(of name: String) -> String? {
        guard isURL(name) else { return nil }
        let lists = ["xml", "rss", "atom", "txt", "csv", "json", "ndjson", "jsonl", "gz"]
        guard let ending = URIReference(name).path.split(separator: "/").last?.split(separator: ".").last,
            lists.contains(ending.lowercased())
        else { return nil }
        return "\(name): warm downloads media, and reads lists from files: curl -s '\(name)' | appgroupd warm -"
    }

    private func read(
        _ source: PayloadSource, _ name: String, _ deliver: (Result<WarmItem, WarmProblem>) async -> Void
    ) async throws(SystemError) {
        let syntax = if let format { format.syntax } else { WarmFormat.syntax(of: try await source.peek()) }
        switch syntax {
        case .json: await readObjects(of: source, name, deliver)
        case .lines: try await readLines(of: source, name, deliver)
        case .xml: try await readXML(of: source, name, deliver)
        case .gzip:
            await deliver(.failure(WarmProblem(place: name, text: "is compressed: gunzip -c FILE | appgroupd warm -")))
        case .utf16:
            let text = "is UTF-16, not UTF-8: convert it with iconv -f UTF-16 -t UTF-8"
            await deliver(.failure(WarmProblem(place: name, text: text)))
        }
    }

    private func readXML(
        of source: PayloadSource, _ name: String, _ deliver: (Result<WarmItem, WarmProblem>) async -> Void
    ) async throws(SystemError) {
        var list = MediaListReader()
        var isAtEnd = false
        while !isAtEnd, !Task.isCancelled {
            let piece = try await source.next()
            isAtEnd = piece.isEmpty
            list.append(piece)
            do throws(WarmProblem) {
                for entry in try list.take(isAtEnd: isAtEnd) {
                    await deliver(.success(items.item(url: entry.url, at: "\(name):\(entry.line)")))
                }
            } catch {
                return await deliver(.failure(WarmProblem(place: "\(name):\(error.place)", text: error.text)))
            }
        }
    }

    private func readLines(
        of source: PayloadSource, _ name: String, _ deliver: (Result<WarmItem, WarmProblem>) async -> Void
    ) async throws(SystemError) {
        var lines = SourceLines()
        var isAtEnd = false
        while !isAtEnd, !Task.isCancelled {
            let piece = try await source.next()
            isAtEnd = piece.isEmpty
            lines.append(piece)
            for (number, line) in lines.take(isAtEnd: isAtEnd) {
                if let item = items.item(line: line, at: "\(name):\(number)") { await deliver(.success(item)) }
            }
        }
    }

    private func readObjects(
        of source: PayloadSource, _ name: String, _ deliver: (Result<WarmItem, WarmProblem>) async -> Void
    ) async {
        var file = PayloadFile(source)
        while !Task.isCancelled, let object = await file.next() {
            let place = "\(name):\(file.line)"
            switch object {
            case .success(let object):
                do throws(WarmProblem) { await deliver(.success(try items.item(of: object, at: place))) } catch {
                    await deliver(.failure(error))
                }
            case .failure(let problem): await deliver(.failure(WarmProblem(place: place, text: problem.text)))
            }
        }
    }
}
