import Base
import LinuxIO
package import NotificationModel

/// The erasure of lines of stored batches. A line belongs to the group that it names, or else to the group of its batch.
/// A line keeps its length and its number, so that an open batch goes on.
extension Batches: Erasable {
    package static var erasedPlaces: [String] { [".appgroupd/batches"] }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        guard step.isLast else { return counts }
        await arrivals.note(step)
        let matcher = ErasureMatcher(step)
        for batch in storedBatches where batch.record.mayConcern(step.target.group) {
            counts += try await erase(batch, matcher)
        }
        return counts
    }

    func erase(_ batch: StoredBatch, _ matcher: ErasureMatcher) async throws(MediaFailure) -> ErasureCounts {
        do throws(SystemError) { return try await eraseLines(of: batch, matcher) } catch {
            // The batch was removed at the end of its retention.
            guard !error.isNoSuchFile else { return ErasureCounts() }
            throw MediaFailure(.storageFailed, "the batch \(batch.record.id) cannot be changed: \(error)")
        }
    }

    private func eraseLines(
        of batch: StoredBatch, _ matcher: ErasureMatcher
    ) async throws(SystemError) -> ErasureCounts {
        let file = directory.body(of: batch.path)
        let search = try await file.search(for: matcher, in: batch)
        var counts = ErasureCounts()
        counts.mentions = search.mentions
        // The recipients of a template are no requests without it, and their results repeat its texts.
        if search.hasTemplate { try await cancelErased(batch) }
        let concerned = search.hasTemplate ? LineNumbers(upTo: search.lineCount) : search.concerned
        // The plan names URLs of the lines.
        if !concerned.isEmpty, batch.removePlan() { try await directory.storeRecord(of: batch) }
        for line in batch.erase(concerned) {
            if let key = line.key { await cancel(key) }
            await line.ended.wait()
        }
        var erased = search.blank
        erased.formUnion(concerned)
        guard !erased.isEmpty else { return counts }
        // The lines in memory are written first, so that the file has all of them.
        try await batch.results?.sync()
        // The results are removed by the numbers of their lines, and therefore before the lines.
        counts.batchLines += try await directory.results(of: batch.path).eraseResults(of: erased)
        counts.batchLines += try await file.eraseLines(concerned, but: search.blank)
        return counts
    }
}

/// The lines of a body that an erasure concerns.
struct BatchSearch {
    var concerned = LineNumbers()
    /// The lines without contents. Their results were erased, too.
    var blank = LineNumbers()
    var lineCount = 0
    var mentions = 0
    /// Whether the template is one of the lines.
    var hasTemplate = false
}

extension BatchFile {
    private func withLines(
        overlap: Int = 0, _ body: (PlacedLines.Part) async throws(SystemError) -> Void
    ) async throws(SystemError) {
        var lines = PlacedLines(maxLength: BatchLimits.maxLine, overlap: overlap)
        var pieces = FilePieces(file: self).makeAsyncIterator()
        while let piece = try await pieces.piece() {
            for part in lines.read(piece) { try await body(part) }
        }
        if let part = lines.end() { try await body(part) }
    }

    /// Finds the lines of a body that an erasure concerns.
    fileprivate func search(for matcher: ErasureMatcher, in batch: StoredBatch) async throws(SystemError) -> BatchSearch
    {
        var search = BatchSearch()
        var reading = LineReading(matcher: matcher, batch: batch)
        var (match, isBlank) = (ErasureMatcher.Match.none, true)
        try await withLines(overlap: matcher.overlap) { part throws(SystemError) in
            if part.isFirst { (match, isBlank) = (.none, true) }
            isBlank = isBlank && part.isBlank
            match = max(match, reading.match(part))
            guard part.isLast else { return }
            search.lineCount = part.number
            if isBlank {
                search.blank.insert(part.number)
            } else if match == .concerns {
                search.concerned.insert(part.number)
                if reading.isTemplate { search.hasTemplate = true }
            } else if match == .mentions {
                search.mentions += 1
            }
        }
        return search
    }

    /// Replaces lines of a body by spaces, which are skipped. All lines are marked first, because a line that is erased in
    /// part, or without its template, does not show any more to whom it belongs.
    ///
    /// - Parameter blank: The lines that have no contents already.
    /// - Returns: The number of replaced lines.
    fileprivate func eraseLines(_ numbers: LineNumbers, but blank: LineNumbers) async throws(SystemError) -> Int {
        guard !numbers.isEmpty else { return 0 }
        try await withLines { part throws(SystemError) in
            guard part.isFirst, part.bytes.count > LineReading.mark.count, numbers.contains(part.number),
                !blank.contains(part.number)
            else { return }
            try await write(LineReading.mark, at: part.start)
        }
        try await sync()
        var count = 0
        try await withLines { part throws(SystemError) in
            guard numbers.contains(part.number), !blank.contains(part.number) else { return }
            try await eraseBytes(of: part)
            if part.isLast { count += 1 }
        }
        try await sync()
        return count
    }

    private func eraseBytes(of part: PlacedLines.Part) async throws(SystemError) {
        let end = part.start + part.length
        for offset in stride(from: end - part.bytes.count, to: end, by: Self.pieceBytes) {
            let count = min(Self.pieceBytes, end - offset)
            try await write([UInt8](repeating: UInt8(ascii: " "), count: count), at: offset)
        }
    }

    /// Replaces the results of erased lines. A result keeps its number, by which a restarted daemon knows that the line
    /// has a result.
    ///
    /// - Returns: The number of replaced results.
    fileprivate func eraseResults(of numbers: LineNumbers) async throws(SystemError) -> Int {
        var (count, isErased, hasChanged) = (0, false, false)
        try await withLines { part throws(SystemError) in
            if part.isFirst {
                let number = BatchLine.number(ofResult: part.bytes)
                isErased = number.map(numbers.contains) ?? false
                guard isErased, let number else { return }
                guard let substitute = BatchLine.erased(number, byteCount: part.length), substitute != part.bytes
                else { return }
                try await write(substitute, at: part.start)
                (count, hasChanged) = (count + 1, true)
            } else if isErased, !part.isBlank {
                try await eraseBytes(of: part)
                hasChanged = true
            }
        }
        if hasChanged { try await sync() }
        return count
    }
}

extension StoredBatch.Record {
    /// Whether a line of the batch may belong to a group.
    fileprivate func mayConcern(_ target: AppGroupName) -> Bool {
        groups.map { $0.contains(target) || group == target } ?? true
    }
}

/// The lines of a body as requests, for erasures.
struct LineReading {
    /// The beginning of a line whose erasure has begun. No JSON text begins with it.
    static let mark = Array("\u{1}erasing\u{1}".utf8)

    let matcher: ErasureMatcher
    let permitted: GroupPermission
    let id: (Int) -> RequestID?
    /// The group of a line that names none.
    private var group: AppGroupName?
    private var template: BatchTemplate?
    private var hasBegun = false
    /// Whether the last line was a template.
    private(set) var isTemplate = false

    init(matcher: ErasureMatcher, batch: StoredBatch) {
        self.matcher = matcher
        (permitted, id) = (batch.call.groups, batch.id)
        // Without a group of its own, the lines of a batch belong to any of the groups that its caller may use.
        group = batch.record.group ?? (batch.record.groups == nil ? nil : matcher.step.target.group)
    }

    mutating func match(_ part: PlacedLines.Part) -> ErasureMatcher.Match {
        isTemplate = false
        if part.isFirst, part.bytes.starts(with: Self.mark) { return .concerns }
        guard part.isWhole else {
            return matcher.match(
                part.bytes, as: nil, in: group, permitted: permitted, isFirst: part.isFirst, isLast: part.isLast)
        }
        guard !part.isBlank else { return .none }
        defer { hasBegun = true }
        var object = try? BatchLine.object(of: part.bytes)
        if !hasBegun, let line = object, BatchTemplate.isTemplate(line) {
            isTemplate = true
            template = try? BatchTemplate(line: line)
            object = line["template"]?.object
            if let named = object.flatMap({ AppGroupName(named: $0) }), permitted.contains(named) { group = named }
        } else if let template, let line = object {
            object = (try? template.envelope(of: line)) ?? line
        }
        return matcher.match(
            part.bytes, as: object, weakID: id(part.number), in: group, permitted: permitted)
    }
}
