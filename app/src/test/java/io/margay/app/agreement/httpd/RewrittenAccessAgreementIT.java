package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What Apache httpd refuses, Margay refuses, where the path that sections ask for is not the one
/// of the file: rules lead elsewhere, or another page takes its place.
final class RewrittenAccessAgreementIT {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fallback.conf",
                "fallback-of-page.conf",
                "fallback-of-first-page.conf",
                "index.conf",
                "rewritten.conf",
                "rewritten-twice.conf"
            })
    void access_byPathThatIsNotTheFiles_isNeverLaxerThanHttpds(String file) throws Exception {
        int _ = AccessAgreement.holds(file);
    }

    /// OPTIONS for a folder, whose place a page takes that nobody is let in to.
    @Test
    void pageInPlaceOfAFolder_isRefusedToEveryMethod() throws Exception {
        AccessAgreement.holdsAgain(810_050);
    }

    /// By `Location /portal` for what `PT` leads from there, and by `Location /private` for what a
    /// rule without it leads there: httpd asks for one of the two paths alone.
    @Test
    void users_areAskedForThePathAsItCame_andForTheOneThatComesOut() throws Exception {
        assertEquals(2, AccessAgreement.holds("rewritten-users.conf"));
    }

    /// Nobody is asked first who they are.
    @Test
    void folderWhoseFileCannotBeFollowed_isClosedToEverybody() throws Exception {
        AccessAgreement.holdsAgain(810_063);
    }

    /// By `AddHandler` of one folder: such files are not there in the others either.
    @Test
    void programOfAnotherFolder_isNotSent() throws Exception {
        AccessAgreement.holdsAgain(92);
    }
}
