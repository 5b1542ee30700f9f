import Base
import LinuxIO
import NotificationModel

/// A factory of anonymous files that counts the open ones, so that a test can wait until all are closed.
final class CountedFiles: Sendable {
    private struct State {
        var made = 0
        var open = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    var made: Int { state.withLock { $0.made } }

    func make() throws(MediaFailure) -> MediaFile {
        let file: MediaFile
        do throws(SystemError) { file = try AnonymousFile.create(in: "/tmp") } catch {
            throw MediaFailure(.storageFailed, "no file: \(error)")
        }
        state.withLock { state in
            state.made += 1
            state.open += 1
        }
        let (descriptor, isLinkable) = (file.descriptor, file.isLinkable)
        // `kept` is now the only reference to the file. The descriptor is closed before the file is counted as closed.
        let kept = Guarded<MediaFile?>(file)
        return MediaFile(descriptor: descriptor, isLinkable: isLinkable) { [self] _ in
            kept.withLock { $0 = nil }
            closed()
        }
    }

    /// Returns when all files are closed.
    func waitUntilClosed() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.open == 0 { return true }
                state.waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func closed() {
        let waiting = state.withLock { state in
            state.open -= 1
            guard state.open == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
