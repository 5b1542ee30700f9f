/// The wait of one task for one value. Any thread may give the value.
///
/// Only the first value has an effect. It may be given before the task waits. The owner of a state keeps a waiter while
/// it decides under its lock, and resumes the waiter after the lock is released.
///
/// The value is stored under a lock, which orders the work of the giving thread before that of the task. A continuation
/// also orders both, but only inside the Swift runtime. If a continuation is resumed before its task waits, the thread
/// sanitizer detects no order. It then reports a race at the first read of the value.
///
/// The type is public and inlinable, so that the compiler specializes it for its values: each download has several.
public final class Waiter<Value: Sendable>: Sendable {
    @usableFromInline enum State: Sendable {
        case created
        case waiting(CheckedContinuation<Void, Never>)
        case resumed(Value)
    }

    @usableFromInline let state = Guarded(State.created)

    @inlinable public init() {}

    /// Whether the waiter has its value.
    @inlinable public var isResumed: Bool { state.withLock { if case .resumed = $0 { true } else { false } } }

    /// Gives the value to the task. A second value has no effect.
    @inlinable public func resume(returning value: Value) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .resumed = state { return nil }
            defer { state = .resumed(value) }
            return if case .waiting(let continuation) = state { continuation } else { nil }
        }
        continuation?.resume()
    }

    /// Waits for the value, even if the task is cancelled. Only one task may wait, and only once.
    @inlinable public func value() async -> Value {
        await withCheckedContinuation { continuation in
            let isResumed = state.withLock { state in
                if case .resumed = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isResumed { continuation.resume() }
        }
        guard case .resumed(let value) = state.withLock({ $0 }) else { preconditionFailure("no value was given") }
        return value
    }

    /// Waits for the value, and calls a handler when the task is cancelled.
    ///
    /// - Parameter handler: A function that ends the wait, at once or later. It may be called on any thread, before the
    ///   task waits, and after the value was given.
    @inlinable public func value(onCancel handler: @Sendable (Waiter) -> Void) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            handler(self)
        }
    }
}

extension Waiter<Void> {
    /// Ends the wait of a task that waits for an event without a value.
    @inlinable public func resume() { resume(returning: ()) }
}
