package io.margay.app.upgrade;

import io.margay.app.deploy.RunningApp;
import io.margay.server.handover.TravellingState;
import io.margay.transport.handover.HandoverChannel.Message;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// All that a process asks the one before for, and the answers. Thread-safe.
public final class Questions {
    private final SessionQuestions sessions;
    private final StateQuestions states;

    /// @param apps what runs in the process that is asked
    /// @param states what it knows beside
    public Questions(Supplier<List<RunningApp>> apps, Supplier<List<TravellingState>> states) {
        sessions = new SessionQuestions(apps);
        this.states = new StateQuestions(states);
    }

    /// The answer; null when this is no question.
    @Nullable Message answer(String question) throws IOException {
        Message state = states.answer(question);
        return state == null ? sessions.answer(question) : state;
    }
}
