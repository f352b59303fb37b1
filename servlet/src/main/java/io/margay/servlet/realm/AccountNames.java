package io.margay.servlet.realm;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/// What the spellings of one account's name have in common. Stateless.
///
/// Databases and directories find a user by names that are only similar: MariaDB and MySQL compare
/// without regard to case, accents, control characters and the script of digits, SQL Server and
/// Active Directory without regard to width and accents, LDAP without regard to blanks and to
/// characters that show nothing. Whoever counts by the name as it was typed counts anew for each of
/// these spellings (CVE-2026-43513).
final class AccountNames {
    /// Letters that collations take for a letter of ASCII though Unicode does not decompose them:
    /// the letter, then those.
    private static final String[] LETTERS =
            ("a\u0363\u1dd3 c\u0368\u1dd7 "
                            + "d\u00f0\u0111\u0369\u1d9e\u1dd8\u1dd9\ua77a e\u0364 f\ua77c "
                            + "g\u1d79\u1dda\ua77d h\u0127\u036a\u210f i\u0131\u0365 k\u1ddc "
                            + "l\u0140\u0142\u1ddd m\u036b n\u1de0 o\u00f8\u01ff\u0366 "
                            + "r\u036c\u1dca\ua783 s\u00df\u1de4\u1de5\ua785 t\u036d\ua787 u\u0367 "
                            + "v\u036e x\u036f z\u1de6 0\u0f33 1\u09f4\u0f2a 2\u09f5\u0f2b "
                            + "3\u09f6\u0f2c 4\u09f7\u0f2d 5\u0f2e 6\u0f2f 7\u0f30 8\u0f31 9\u0f32")
                    .split(" ");

    /// Letters and signs that collations take for nothing.
    private static final String NOTHING =
            "\u00b7\u0345\u0640\u06de\u0824\u0828\u115f\u1160\u1cd3\u1cf2\u3164\uffa0";

    private AccountNames() {}

    /// Equal for all spellings of a name, also for some names of different accounts.
    static String common(String name) {
        String small = letters(name.toLowerCase(Locale.ROOT));
        String folded =
                Normalizer.normalize(small, Normalizer.Form.NFKD)
                        .toUpperCase(Locale.ROOT)
                        .toLowerCase(Locale.ROOT);
        StringBuilder common = new StringBuilder();
        Normalizer.normalize(folded, Normalizer.Form.NFKD)
                .codePoints()
                .filter(AccountNames::isSomething)
                .map(AccountNames::digit)
                .forEach(common::appendCodePoint);
        // After all else, as sharp s has become two letters.
        return common.toString().replace("ss", "s");
    }

    private static String letters(String text) {
        StringBuilder letters = new StringBuilder();
        text.codePoints()
                .filter(c -> NOTHING.indexOf(c) < 0)
                .forEach(c -> letters.appendCodePoint(c < 0x80 ? c : letter(c)));
        return letters.toString();
    }

    private static int letter(int c) {
        return Arrays.stream(LETTERS)
                .filter(same -> same.indexOf(c) > 0)
                .mapToInt(same -> same.charAt(0))
                .findFirst()
                .orElse(c);
    }

    private static boolean isSomething(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.FORMAT,
                    Character.CONTROL,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> NOTHING.indexOf(c) < 0;
        };
    }

    /// The digit of ASCII that a digit of any script stands for, also one that is no decimal digit.
    @SuppressWarnings("CharacterGetNumericValue") // Letters are not asked about.
    private static int digit(int c) {
        int value = Character.isLetter(c) ? -1 : Character.getNumericValue(c);
        return value >= 0 && value <= 9 ? '0' + value : c;
    }
}
