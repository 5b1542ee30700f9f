import JSON
import NotificationModel
import Primitives

/// The submission of claims. The spool uses the port of the coordinator only here.
extension Spool {
    /// The time for which a claimed file waits for the memory for its values.
    private static let valuesPatience: Duration = .milliseconds(500)

    /// Submits a claim, and returns when it has ended.
    nonisolated func submit(_ claim: Claim) async {
        guard let bytes = claim.bytes else {
            let state = if let key = claim.file.key { await coordinator.state(of: key) } else { nil as RequestState? }
            return await settle(nameOf: claim.file, state)
        }
        await withTaskExecutorPreference(large.executor(forBytes: bytes.count)) {
            do throws(PayloadError) {
                var claim = claim
                guard try await leaseValues(of: &claim, bytes) else { return }
                let submission = try claim.submission(of: bytes)
                while await settle(claim, await coordinator.submit(submission)) {}
            } catch {
                await reject(claim.file, error)
            }
        }
    }

    /// Waits for memory for the values of a claim. The budget of a claim runs, so the file must not wait in `claimed`
    /// for long.
    ///
    /// - Returns: Whether the claim has the memory that it needs; `false` if its file is back in `incoming`.
    private nonisolated func leaseValues(of claim: inout Claim, _ bytes: [UInt8]) async throws(PayloadError) -> Bool {
        guard let footprint = LargeValues.footprint(of: bytes) else { return true }
        guard footprint <= values.most else {
            throw PayloadError(
                reason: .tooLarge,
                problem: "its values take about \(footprint) bytes of memory, and at most \(values.most) are permitted")
        }
        while true {
            if let lease = await values.lease(footprint, within: Self.valuesPatience, on: clock) {
                claim.lease = lease
                return true
            }
            if await putBack(claim) { return false }
        }
    }
}

extension Claim {
    /// Returns the submission of the file.
    ///
    /// - Throws: The reason why the file is unusable.
    fileprivate func submission(of bytes: [UInt8]) throws(PayloadError) -> Submission {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: bytes) } catch {
            throw PayloadError(
                reason: .invalidPayload, problem: error.problem, line: error.line, column: error.column)
        }
        guard let object = value.object else {
            let remedy = value.array == nil ? "" : ": put each element into its own file"
            throw PayloadError(
                reason: .invalidPayload, problem: "the file has \(value.typeName), not an object\(remedy)")
        }
        return Submission(
            body: bytes, object: object, origin: .spool(fileName: file.name), arrival: arrival, group: file.group,
            weakID: RequestID(SpoolName.stem(file.name)), lease: lease)
    }
}
