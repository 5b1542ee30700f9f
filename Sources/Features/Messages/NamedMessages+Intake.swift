package import Base
import FoundationEssentials
package import NotificationModel
import RequestCoordinator

/// The calls about named messages.
extension NamedMessages: MessageIntake {
    package func put(
        _ submission: Submission, as key: MessageKey, for profiles: [MediaProfile], until expiry: MessageExpiry?,
        if condition: VersionCondition
    ) async -> MessageAnswer {
        guard !closing.isSignalled else { return .closing }
        let now = clock.date
        guard let end = end(for: expiry, at: now) else { return .wrongExpiry(latest: settings.retention) }
        let envelope: MessageEnvelope
        do throws(EnvelopeError) {
            envelope = try MessageEnvelope(of: submission, by: reader)
        } catch {
            return .unusable(error)
        }
        let message = NewMessage(
            envelope: envelope.bytes, profiles: profiles.isEmpty ? [envelope.profile] : profiles, expiresAt: end,
            quota: settings.quota)
        let answer = await store.apply(MessageChange(.put(message), of: key, if: condition, at: now))
        if case .stored(let stored, _) = answer { enqueue(stored) }
        return answer
    }

    /// Returns the end of a message; `nil` if it is in the past, or after the longest life.
    private func end(for expiry: MessageExpiry?, at now: Date) -> Date? {
        let latest = now.addingTimeInterval(settings.retention.seconds)
        let end: Date
        switch expiry {
        case nil: return latest
        case .after(let life)?: end = now.addingTimeInterval(life.seconds)
        case .at(let date)?: end = date
        }
        return end > now && end <= latest ? end : nil
    }

    package func find(_ key: MessageKey) async -> MessageAnswer { await store.find(key, at: clock.date) }

    package func content(of message: NamedMessage, for profile: MediaProfile) async -> EmittedContent? {
        await store.content(of: message, for: profile)
    }

    package func messages(in group: AppGroupName) async -> [NamedMessage]? {
        await store.messages(in: group, at: clock.date)
    }

    package func envelope(of message: NamedMessage) async -> [UInt8]? { await store.envelope(of: message) }

    package func recipients(of envelope: JSONObject, in group: AppGroupName) -> Set<String> {
        let submission = Submission(object: envelope, arrival: clock.reading, group: group)
        return (try? reader.request(of: submission)).map { $0.recipientNames } ?? []
    }

    package func remove(_ key: MessageKey, if condition: VersionCondition) async -> MessageAnswer {
        let preparation = preparations.withLock { $0[key] }
        let answer = await store.apply(MessageChange(.remove, of: key, if: condition, at: clock.date))
        if answer == .removed, let preparation { await abandon(preparation, of: key) }
        return answer
    }

    /// Ends the preparation of a removed message, and returns when its requests have their results.
    private func abandon(_ preparation: Preparation, of key: MessageKey) async {
        end(key, version: preparation.version)
        await withDiscardingTaskGroup { group in
            for request in preparation.requests { group.addTask { [self] in _ = await coordinator.cancel(request) } }
        }
    }

    package func waitForPreparation(
        of key: MessageKey, until instant: MonotonicInstant, unless gone: AsyncEvent
    ) async {
        guard let ended = preparations.withLock({ $0[key]?.ended }) else { return }
        let end = AsyncEvent()
        let signals = [ended, gone, closing].map { event in (event, event.whenSignalled { end.signal() }) }
        await end.wait(until: instant, on: clock)
        for (event, id) in signals { event.forget(id) }
    }
}
