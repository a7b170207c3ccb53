import HearthJSON

/// Which texts of a context count as the template's own, so that control tokens are read in them. All others are data:
/// a user who types `<|im_end|>` has typed ten characters.
package struct TemplateTrust: Hashable, Sendable {
    /// Variables whose texts are the template's own: the special tokens that the model file names.
    package var variables: Set<String>
    /// Roles that our own code gives to messages. Some templates build control tokens of them: `<|user|>`.
    package var roles: Set<String>

    package init(variables: Set<String>, roles: Set<String>) { (self.variables, self.roles) = (variables, roles) }

    package static let chat = TemplateTrust(
        variables: ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"],
        roles: ["system", "developer", "user", "assistant", "tool", "function", "ipython", "model"])

    package static let nothing = TemplateTrust(variables: [], roles: [])

    func value(_ name: String, _ json: JSON) -> Value {
        if case .string = json, variables.contains(name) { return Value(json, origin: .template) }
        guard name == "messages", !roles.isEmpty, case .array(let messages) = json else {
            return Value(json, origin: .data)
        }
        return .list(messages.map(message))
    }

    private func message(_ json: JSON) -> Value {
        guard case .object(let object) = json else { return Value(json, origin: .data) }
        return .mapping(
            ValueMapping(
                object.map { member in
                    let key = Text(member.key, .data)
                    var origin = TextOrigin.data
                    if member.key == "role", let role = member.value.stringValue, roles.contains(role) {
                        origin = .template
                    }
                    return (.text(key.bytes), .text(key), Value(member.value, origin: origin))
                }))
    }
}
