import Digests
import LinuxIO
package import NotificationModel

/// The templates of campaigns: files that many requests complete. A file is removed when no unemitted request needs it,
/// and no batch refers to it.
extension RequestJournal: TemplateStoring {
    /// A reference that does not keep a template in memory.
    struct TemplateReference {
        weak var template: SharedTemplate?
    }

    package nonisolated func store(_ template: [UInt8]) async -> SharedTemplate? {
        guard let name: String = try? await store(template) else { return nil }
        let template = SharedTemplate(name: name, bytes: template, digest: SHA256.hash(template))
        await keep(template)
        return template
    }

    func keep(_ template: SharedTemplate) { templates[template.name] = TemplateReference(template: template) }

    /// Removes the files of the templates that are not needed any more.
    func forgetTemplates() throws {
        var unneeded: [String] = []
        for (name, reference) in templates where reference.template == nil {
            guard try !database.needsTemplate(name) else { continue }
            templates[name] = nil
            unneeded.append(name)
        }
        guard !unneeded.isEmpty else { return }
        valueLoop.execute { [files, unneeded] in files.remove(unneeded) }
    }
}
