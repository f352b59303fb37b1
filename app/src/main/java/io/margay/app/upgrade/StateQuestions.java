package io.margay.app.upgrade;

import io.margay.server.handover.StateLimits;
import io.margay.server.handover.StateSection;
import io.margay.server.handover.TravellingState;
import io.margay.transport.handover.HandoverChannel.Message;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a process asks the one before for of its state, and the answers. Thread-safe.
///
/// ```
/// "state" LF name -> a byte (0 none, 1 given), the section
/// ```
///
/// @param states of the process that is asked
record StateQuestions(Supplier<List<TravellingState>> states) {
    private static final System.Logger LOG = System.getLogger(StateQuestions.class.getName());

    static final String STATE = "state\n";
    static final byte GIVEN = 1;

    /// The answer; null when this is no such question.
    @Nullable Message answer(String question) {
        return question.startsWith(STATE)
                ? new Message(given(question.substring(STATE.length())), Message.NONE)
                : null;
    }

    private byte[] given(String name) {
        for (TravellingState each : states.get()) {
            if (each.name().equals(name)) {
                try {
                    byte[] section = StateSection.of(each, StateLimits.defaults());
                    byte[] answer = new byte[section.length + 1];
                    answer[0] = GIVEN;
                    System.arraycopy(section, 0, answer, 1, section.length);
                    return answer;
                } catch (IOException e) {
                    LOG.log(
                            Level.WARNING,
                            "the state \"{0}\" is not handed over: {1}",
                            name,
                            e.getMessage());
                }
            }
        }
        return new byte[1];
    }
}
