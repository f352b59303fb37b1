package io.margay.server.handover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StateFormatTest {
    private static final StateLimits LIMITS = new StateLimits(100, 3, 1000);

    /// A text of some length.
    private static final class Text implements TravellingState {
        private final int form;
        private String text;

        Text(int form, String text) {
            this.form = form;
            this.text = text;
        }

        @Override
        public String name() {
            return "text";
        }

        @Override
        public int form() {
            return form;
        }

        @Override
        public void write(DataOutput out) throws IOException {
            out.writeUTF(text);
        }

        @Override
        public void read(DataInput in, Duration since) throws IOException {
            text = in.readUTF() + since;
        }
    }

    private static byte[] file() throws IOException {
        byte[] section = StateSection.of(new Text(1, "abc"), LIMITS);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        StateFormat.write(file, new StateFormat.Content(5, Map.of("text", section)));
        return file.toByteArray();
    }

    private static StateFormat.Content read(byte[] file) throws IOException {
        return StateFormat.read(new ByteArrayInputStream(file), LIMITS);
    }

    @Test
    void state_comesBack_withItsTime() throws IOException {
        StateFormat.Content content = read(file());
        assertEquals(5, content.millis());
        Text other = new Text(1, "");
        byte[] section = content.sections().get("text");
        assertTrue(StateSection.restore(other, section, Duration.ofSeconds(1)));
        assertEquals("abcPT1S", other.text);
        assertArrayEquals(StateSection.of(new Text(1, "abc"), LIMITS), section);
    }

    @Test
    void file_changedInAnyByte_orCutAnywhere_isRefused() throws IOException {
        byte[] file = file();
        for (int i = 0; i < file.length; i++) {
            byte[] changed = file.clone();
            changed[i] ^= 1;
            assertThrows(IOException.class, () -> read(changed), "byte " + i);
            byte[] cut = Arrays.copyOf(file, i);
            assertThrows(IOException.class, () -> read(cut), "cut at " + i);
        }
    }

    @Test
    void section_ofAnotherForm_orCut_isIgnored() throws IOException {
        Text other = new Text(2, "own");
        byte[] section = StateSection.of(new Text(1, "abc"), LIMITS);
        assertFalse(StateSection.restore(other, section, Duration.ZERO));
        byte[] cut = Arrays.copyOf(section, section.length - 1);
        assertFalse(StateSection.restore(new Text(1, ""), cut, Duration.ZERO));
        assertFalse(StateSection.restore(new Text(1, ""), new byte[0], Duration.ZERO));
        assertEquals("own", other.text);
    }

    @Test
    void state_thatIsTooLarge_isNotWritten() {
        Text large = new Text(1, "a".repeat(LIMITS.sectionBytesMax()));
        assertThrows(IOException.class, () -> StateSection.of(large, LIMITS));
    }
}
