#if canImport(SwiftUI)
    public import SwiftUI

    /// A prompt field over the text of an ``InferenceCoordinator``.
    public struct InferenceView: View {
        @State private var prompt = ""
        private let coordinator: InferenceCoordinator

        public init(_ coordinator: InferenceCoordinator) {
            self.coordinator = coordinator
        }

        public var body: some View {
            VStack(alignment: .leading) {
                ScrollView { Text(coordinator.outputText).frame(maxWidth: .infinity, alignment: .leading) }
                HStack {
                    TextField("Prompt", text: $prompt)
                    Button("Ask") { Task { await coordinator.executePrompt(prompt) } }
                        .disabled(prompt.isEmpty || coordinator.isGenerating)
                }
            }
            .padding()
        }
    }
#endif
