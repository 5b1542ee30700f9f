/// The instructions for the renditions of a media item. Two recipes with the same `key` result in the same files.
package struct RenditionRecipe: Sendable, Hashable {
    /// The version of the encoders. A change after which the same media item has other files must raise this version,
    /// so that stored files are made again.
    package static let encoderVersion = 5

    package let key: String

    package init(key: String) { self.key = key }

    package init(_ form: MediaForm, _ options: AttachmentOptions) {
        var parts = ["v\(Self.encoderVersion)", "picture=\(form.imageSide),\(form.imageBytes),\(form.jpegQuality)"]
        if let aspect = form.minAspect { parts.append("aspect=\(aspect)") }
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

/// The key of stored renditions: the bytes of the media item and the recipe.
package struct RenditionKey: Sendable, Hashable {
    /// The identity of the bytes (`FetchedMedia.identity`).
    package var identity: String
    package var recipe: RenditionRecipe

    package init(identity: String, recipe: RenditionRecipe) {
        self.identity = identity
        self.recipe = recipe
    }
}

/// The key of renditions that an operator has pinned: the URL of the media item and the recipe.
package struct PinKey: Sendable, Hashable {
    /// The absolute URL, as it would be fetched.
    package var url: String
    package var recipe: RenditionRecipe

    package init(url: String, recipe: RenditionRecipe) {
        self.url = url
        self.recipe = recipe
    }
}
