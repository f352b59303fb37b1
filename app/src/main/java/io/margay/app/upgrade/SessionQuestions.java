package io.margay.app.upgrade;

import io.margay.app.deploy.AppName;
import io.margay.app.deploy.RunningApp;
import io.margay.transport.handover.HandoverChannel.Message;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a process asks the one before for about sessions, and the answers. Thread-safe.
///
/// ```
/// "sessions" LF application -> KnownSessions
/// "session" LF application LF identifier -> a byte (0 none, 1 given, 2 no more), the session
/// ```
///
/// @param apps what runs in the process that is asked
record SessionQuestions(Supplier<List<RunningApp>> apps) {
    static final String KNOWN = "sessions\n";
    static final String SESSION = "session\n";
    static final byte NONE = 0;
    static final byte GIVEN = 1;
    static final byte OVER = 2;

    /// What an application is called in both processes.
    static String key(AppName name) {
        return String.join(",", name.host()) + name;
    }

    /// The answer; null when this is no such question.
    @Nullable Message answer(String question) throws IOException {
        if (question.startsWith(KNOWN)) {
            RunningApp app = app(question.substring(KNOWN.length()));
            List<String> ids =
                    app == null
                            ? List.of()
                            : app.deployment().webApp().liveSessions().stream()
                                    .map(HttpSession::getId)
                                    .toList();
            return new Message(KnownSessions.of(ids), Message.NONE);
        }
        if (!question.startsWith(SESSION)) {
            return null;
        }
        String[] words = question.substring(SESSION.length()).split("\n", 2);
        RunningApp app = app(words[0]);
        return new Message(given(app, words.length < 2 ? "" : words[1]), Message.NONE);
    }

    private static byte[] given(@Nullable RunningApp app, String id) {
        try {
            byte[] session = app == null ? null : app.deployment().webApp().giveSession(id);
            if (session == null) {
                return new byte[] {NONE};
            }
            byte[] answer = new byte[session.length + 1];
            answer[0] = GIVEN;
            System.arraycopy(session, 0, answer, 1, session.length);
            return answer;
        } catch (IOException e) {
            return new byte[] {OVER};
        }
    }

    private @Nullable RunningApp app(String key) {
        for (RunningApp app : apps.get()) {
            if (key(app.name()).equals(key)) {
                return app;
            }
        }
        return null;
    }
}
