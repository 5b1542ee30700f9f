import NotificationModel
import Testing

@Suite struct RenditionRecipeTests {
    @Test func `each option that changes the files changes the key`() {
        let form = MediaProfile.ios.attachment
        var options = AttachmentOptions()
        let changes: [(inout MediaForm) -> Void] = [
            { _ in }, { $0.imageSide = 512 }, { $0.imageBytes = 300_000 }, { $0.thumbnailSide = nil },
            { $0.thumbnailSide = 128 }, { $0.minAspect = 2 }, { $0.isMask = true }, { $0.videoSide = 512 },
            { $0.copiedVideoSide = 512 },
            { $0.videoBytes = 1 }, { $0.takesVideos = false }, { $0.takesAnimations = false },
            { $0.takesWebAnimations = true }, { $0.copiesHEVC.toggle() }, { $0.jpegQuality = 60 },
            { $0.damaged = .refuse },
        ]
        var keys = changes.map { change in
            var changed = form
            change(&changed)
            return RenditionRecipe(changed, options).key
        }
        options.thumbnailHidden = true
        keys.append(RenditionRecipe(form, options).key)
        options.thumbnailHidden = false
        options.thumbnailTime = 3
        keys.append(RenditionRecipe(form, options).key)
        #expect(Set(keys).count == changes.count + 2)
    }

    @Test func `the key contains the encoder's version`() {
        let key = RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions()).key
        #expect(key.hasPrefix("v\(RenditionRecipe.encoderVersion);"))
    }

    @Test func `profiles with the same form of attachments have the same rendition key`() {
        let keys = MediaProfile.all.map { RenditionRecipe($0.attachment, AttachmentOptions()).key }
        #expect(keys[0] == keys[4])
        #expect(Set(keys).count == 4)
    }
}
