import Base
import FoundationEssentials
import Logging
import NotificationModel
import RequestCoordinator

/// The preparation of a message: one request for each profile.
extension NamedMessages {
    /// Prepares a message for all profiles that have no state yet.
    func prepare(_ message: NamedMessage) async {
        let isLarge = message.byteCount > LargePayloadExecutor.threshold
        // The values of a large payload can take many times the memory of its bytes.
        if isLarge { guard await largePermit.acquire() else { return } }
        defer { if isLarge { largePermit.release() } }
        guard let bytes = await store.envelope(of: message) else { return }
        await withDiscardingTaskGroup { group in
            for preparation in message.preparations where preparation.state.isPreparing {
                group.addTask(executorPreference: large.executor(forBytes: bytes.count)) { [self] in
                    guard let ending = await ending(of: message, bytes, for: preparation.profile) else { return }
                    await keep(ending, of: message, for: preparation.profile)
                }
            }
        }
    }

    private struct Ending {
        var state: NamedMessage.State
        /// The JSON of the result; empty without a result.
        var content: [UInt8] = []
    }

    /// Submits the request for a profile, waits for its result, and holds the files of the result.
    ///
    /// - Returns: `nil` if the daemon ends, or if the message is replaced.
    private func ending(of message: NamedMessage, _ bytes: [UInt8], for profile: MediaProfile) async -> Ending? {
        guard let stored = try? JSONParser.value(of: bytes).object, let key = message.requestKey(for: profile) else {
            return Ending(state: .refused("the stored envelope cannot be read"))
        }
        let envelope = MessageEnvelope.envelope(stored, for: profile)
        let body = JSONWriter.bytes(of: .object(envelope))
        while !closing.isSignalled, isCurrent(message) {
            var submission = Submission(
                body: body, object: envelope, channel: .detached, arrival: clock.reading, group: key.group, id: key.id)
            submission.isPreparation = true
            switch await coordinator.submit(submission) {
            case .emitted(let content): return await held(content, of: message)
            case .accepted, .joined:
                if let content = await coordinator.content(of: key) { return await held(content, of: message) }
            case .unusable(let error): return Ending(state: .refused(VisibleText.sentence("\(error)")))
            case .conflict: return Ending(state: .refused("Another request has the id \(key.id)."))
            case .closing: return nil
            case .full, .groupFull, .failed: break
            }
            await closing.wait(until: clock.now.advanced(by: settings.pause), on: clock)
        }
        return nil
    }

    private func held(_ content: EmittedContent, of message: NamedMessage) async -> Ending {
        let paths = Self.files(in: content.json)
        guard await files.hold(paths, in: message.key.group, until: message.expiresAt) else {
            return Ending(
                state: .refused("A file of the message was removed before it was held: put the message again."))
        }
        return Ending(state: .prepared(content.outcome, content.reason), content: content.json)
    }

    /// Returns the paths of the files that a result shows.
    private static func files(in json: [UInt8]) -> [String] {
        let result = try? JSONParser.value(of: json)
        let attachments = result["content"]["attachments"]?.array ?? []
        return attachments.flatMap { attachment in
            [attachment["path"], attachment["thumbnail"]?["path"], attachment["poster"]?["path"]]
                .compactMap { $0?.string }
        }
    }

    /// Makes the end of a preparation durable, and reports it. If the disk refuses it, the next daemon finds the result
    /// in the journal.
    private func keep(_ ending: Ending, of message: NamedMessage, for profile: MediaProfile) async {
        while true {
            let change = MessageChange(
                .prepare(version: message.version, profile, ending.state, content: ending.content), of: message.key,
                at: clock.date)
            switch await store.apply(change) {
            case .stored: return report(ending.state, of: message, for: profile)
            case .failed where !closing.isSignalled:
                await closing.wait(until: clock.now.advanced(by: settings.pause), on: clock)
            // The message was replaced or removed, or has ended.
            default: return
            }
        }
    }

    private func report(_ state: NamedMessage.State, of message: NamedMessage, for profile: MediaProfile) {
        guard let key = message.requestKey(for: profile) else { return }
        coordinator.tell(
            .prepared(PreparedMessage(message, for: profile, state: state)), key,
            elapsed: .seconds(max(0, clock.date.timeIntervalSince(message.updatedAt))))
        logger.info(
            "prepared a message",
            metadata: [
                "id": "\(key.id)", "group": "\(key.group)", "profile": "\(profile.name)",
                "failed": "\(state.hasFailed)",
            ])
    }
}

extension RequestCoordinator {
    /// Reports an event of a request that does not come from the work on the request.
    func tell(_ kind: RequestEvent.Kind, _ key: RequestKey, elapsed: Duration) {
        log.tell(kind, key, at: clock.date, elapsed: elapsed)
    }
}

/// The envelope of a named message without its profile. The requests that prepare the message differ in their profiles.
struct MessageEnvelope {
    /// The profile of the envelope, or else the default profile of the app group.
    let profile: MediaProfile
    let bytes: [UInt8]

    /// - Throws: The error of an envelope that cannot be used, or that has the id of a single request.
    init(of submission: Submission, by reader: any EnvelopeReading) throws(EnvelopeError) {
        let request = try reader.request(of: submission)
        guard !request.isKeyed else {
            throw EnvelopeError(key: "id", problem: "belongs to a single request: the path has the name of the message")
        }
        profile = request.profile
        // The payload of a request is the whole body, unless the body is an envelope.
        let isBare = request.payload == submission.object
        let envelope: JSONObject = isBare ? ["payload": .object(submission.object)] : submission.object
        bytes = JSONWriter.bytes(of: .object(JSONObject(members: envelope.members.filter { $0.key != "profile" })))
    }

    /// Returns the envelope for a profile.
    static func envelope(_ stored: JSONObject, for profile: MediaProfile) -> JSONObject {
        var envelope = stored
        envelope.append("profile", .string(profile.name))
        return envelope
    }
}
