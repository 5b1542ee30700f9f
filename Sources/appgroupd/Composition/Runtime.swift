import AppGroupStore
import LinuxIO
import MediaFetcher
import NotificationModel
import NotificationProcessor
import TranscodePool

/// The whole program put together: the one place where the stages meet.
struct Runtime: Sendable {
    struct Settings {
        var root: String
        var allowedAddresses: [AddressRange] = []
        var workers = ProcessorCount.current
        var clock: any RequestClock = SystemClock()
    }

    let pipeline: NotificationPipeline
    private let store: AppGroupStore
    private let fetcher: HTTPMediaFetcher
    private let pool: TranscodePool

    /// - Throws: with status 2 when the root or the installation cannot be used.
    init(_ settings: Settings) throws(CommandFailure) {
        let worker = try WorkerExecutable.path()
        do throws(SystemError) { store = try AppGroupStore(root: settings.root) } catch {
            throw CommandFailure(
                .usage, "--root \(settings.root): \(error.reason): name a folder that this user can write to")
        }
        var policy = FetchPolicy()
        policy.addresses = AddressRule(allowed: settings.allowedAddresses)
        do throws(MediaFailure) {
            fetcher = try HTTPMediaFetcher(policy: policy, userAgent: "appgroupd/\(Appgroupd.version)")
        } catch {
            throw CommandFailure(.failed, error.detail)
        }
        do throws(SystemError) { pool = try TranscodePool(executable: worker, size: settings.workers) } catch {
            throw CommandFailure(.failed, "the workers' thread cannot be started: \(error)")
        }
        pipeline = NotificationPipeline(fetcher: fetcher, transcoder: pool, store: store, clock: settings.clock)
    }

    /// Ends transfers, workers and threads, in the direction of the data. Called once, when no request is left.
    func shutdown() async {
        await fetcher.shutdown()
        await pool.shutdown()
        await store.shutdown()
    }
}
