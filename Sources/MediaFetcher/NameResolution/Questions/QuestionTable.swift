import Base
import NotificationModel

typealias AskerID = UInt64
typealias QuestionID = UInt64

/// A table of the names that are being resolved, with their waiting callers, and a cache of recent answers. The table
/// uses no sockets and no clocks.
///
/// The input is events. The output is actions, in the order in which the resolver must perform them. Callers that ask
/// for the same name share one question. Each caller may be cancelled, and the question ends when no caller is left.
/// The table gives each caller exactly one result and ends each question exactly once. Both rules hold for all races:
/// an answer and a cancellation, or a cancellation and the shutdown.
struct QuestionTable: ~Copyable {
    enum Event {
        case asked(AskerID, HostName)
        /// A caller was cancelled and needs no answer.
        case left(AskerID)
        case answered(QuestionID, HostAnswer)
        /// The resolver was shut down. The table refuses all later questions.
        case closed
    }

    enum Action: Equatable {
        case start(QuestionID, HostName)
        case end(QuestionID)
        case tell(AskerID, Result<ResolvedHost, MediaFailure>)
    }

    private struct Question {
        let name: HostName
        /// The number of the settings with which the question is sent.
        let generation: Int
        var askers: Set<AskerID>
    }

    private var settings: ResolverSettings
    private var generation = 0
    private var cache: AnswerCache
    private var questions: [QuestionID: Question] = [:]
    private var byName: [HostName: QuestionID] = [:]
    private var byAsker: [AskerID: QuestionID] = [:]
    private var lastQuestion: QuestionID = 0
    private var isClosed = false

    init(_ settings: ResolverSettings) {
        self.settings = settings
        cache = AnswerCache(limit: settings.cacheLimit, maxTTL: settings.maxTTL)
    }

    /// The number of open questions.
    var count: Int { questions.count }

    /// Uses other settings without the cached answers. Open questions continue only for their present callers.
    mutating func change(_ settings: ResolverSettings) {
        self.settings = settings
        generation += 1
        cache = AnswerCache(limit: settings.cacheLimit, maxTTL: settings.maxTTL)
        byName = [:]
    }

    func rememberedFailure(of name: HostName, at now: MonotonicInstant) -> RememberedFailure? {
        cache.failure(of: name, at: now)
    }

    mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Action] {
        switch event {
        case .asked(let asker, let name): ask(asker, name, at: now)
        case .left(let asker): leave(asker)
        case .answered(let question, let answer): end(question, answer, at: now)
        case .closed: close()
        }
    }

    private mutating func ask(_ asker: AskerID, _ name: HostName, at now: MonotonicInstant) -> [Action] {
        if isClosed { return [.tell(asker, .failure(.resolverClosed))] }
        if let known = cache.find(name, at: now) { return [.tell(asker, known)] }
        if let open = byName[name] {
            questions[open]?.askers.insert(asker)
            byAsker[asker] = open
            return []
        }
        guard questions.count < settings.questions else { return [.tell(asker, .failure(.tooManyNames))] }
        lastQuestion += 1
        questions[lastQuestion] = Question(name: name, generation: generation, askers: [asker])
        byName[name] = lastQuestion
        byAsker[asker] = lastQuestion
        return [.start(lastQuestion, name)]
    }

    private mutating func leave(_ asker: AskerID) -> [Action] {
        guard let id = byAsker.removeValue(forKey: asker) else { return [] }
        let notice = Action.tell(asker, .failure(.cancelled))
        questions[id]?.askers.remove(asker)
        guard questions[id]?.askers.isEmpty ?? false else { return [notice] }
        _ = remove(id)
        return [notice, .end(id)]
    }

    private mutating func end(_ id: QuestionID, _ answer: HostAnswer, at now: MonotonicInstant) -> [Action] {
        guard let question = remove(id) else { return [] }
        // An answer that was found with earlier settings is not cached.
        let result =
            question.generation == generation
            ? cache.insert(answer, for: question.name, at: now) : answer.result(atMost: settings.maxTTL)
        return [.end(id)] + question.askers.sorted().map { .tell($0, result) }
    }

    private mutating func close() -> [Action] {
        isClosed = true
        let ends = questions.keys.sorted().map { Action.end($0) }
        let tells = byAsker.keys.sorted().map { Action.tell($0, .failure(.resolverClosed)) }
        questions = [:]
        byName = [:]
        byAsker = [:]
        return ends + tells
    }

    private mutating func remove(_ id: QuestionID) -> Question? {
        guard let question = questions.removeValue(forKey: id) else { return nil }
        if byName[question.name] == id { byName[question.name] = nil }
        for asker in question.askers { byAsker[asker] = nil }
        return question
    }
}
