import NotificationModel

/// Waits for a result: until it is there, the caller's patience ends, or the caller leaves.
struct ContentWait: Sendable {
    let desk: any RequestDesk
    let clock: any RequestClock

    enum Ending: Sendable {
        /// `nil`: the desk has none.
        case content(EmittedContent?)
        case late
        case gone
    }

    /// The wait at the desk is cancelled, and has ended, when this returns something else than the content.
    ///
    /// - Parameter instant: `nil` for as long as it takes.
    func content(
        of key: RequestKey, until instant: MonotonicInstant?, unless gone: OneTimeEvent
    ) async -> Ending {
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { .content(await desk.content(of: key)) }
            group.addTask {
                await gone.wait()
                return .gone
            }
            if let instant {
                group.addTask {
                    await clock.sleep(until: instant)
                    return .late
                }
            }
            // Where this task is cancelled all of them end, and the content is what tells it.
            let first = await group.next() ?? .gone
            if case .content = first {} else if Task.isCancelled { return .content(nil) }
            group.cancelAll()
            return first
        }
    }
}
