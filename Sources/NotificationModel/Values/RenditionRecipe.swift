/// The instructions for the renditions of a medium. Two recipes with the same `key` give the same files.
package struct RenditionRecipe: Sendable, Hashable {
    /// The version of the encoders. It is raised whenever the same medium would give other files, so that the stored
    /// files are made again.
    package static let encoderVersion = 5

    package let key: String

    /// Creates a recipe from a key that was written down before.
    package init(key: String) { self.key = key }

    package init(_ form: MediaForm, _ options: AttachmentOptions) {
        var parts = ["v\(Self.encoderVersion)", "picture=\(form.pictureSide),\(form.pictureBytes),\(form.jpegQuality)"]
        if let aspect = form.leastAspect { parts.append("aspect=\(aspect)") }
        if form.isMask { parts.append("mask") }
        if form.damaged == .refuse { parts.append("undamaged") }
        let video = [form.copiedVideoSide, form.videoSide, form.videoBytes].map(String.init)
        parts.append("video=" + ((form.takesVideos ? [] : ["no"]) + video).joined(separator: ","))
        if form.copiesHEVC { parts.append("hevc") }
        if !form.takesAnimations { parts.append("still") }
        if form.takesWebAnimations { parts.append("web") }
        if let side = form.thumbnailSide { parts.append("thumbnail=\(side)") }
        parts.append("sound=\(form.soundBytes)")
        let thumbnail = options.thumbnailKey
        if !thumbnail.isEmpty { parts.append(thumbnail) }
        key = parts.joined(separator: ";")
    }
}

/// Which medium, made how.
package struct RenditionKey: Sendable, Hashable {
    /// `FetchedMedia.identity`.
    package var identity: String
    package var recipe: RenditionRecipe

    package init(identity: String, recipe: RenditionRecipe) {
        self.identity = identity
        self.recipe = recipe
    }
}

/// The name of the renditions that an operator keeps ready: those of the medium at a URL, made in one way.
package struct PinKey: Sendable, Hashable {
    /// Absolute, as it would be fetched.
    package var url: String
    package var recipe: RenditionRecipe

    package init(url: String, recipe: RenditionRecipe) {
        self.url = url
        self.recipe = recipe
    }
}
