package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.text.AttributedCharacterIterator;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

/// What is said of failures tells what to do about them.
final class CausesTest {
    private static String chainOf(Throwable root, int wrappers) {
        Throwable at = root;
        for (int i = 0; i < wrappers; i++) {
            at = new IllegalStateException("wrapper " + i, at);
        }
        return Causes.chain(at);
    }

    @Test
    void classThatJavaHasLost_isNamedWithItsRemedyHoweverDeepItIs() {
        String missing = "NoClassDefFoundError: javax/xml/bind/JAXBException";
        for (Throwable root :
                new Throwable[] {
                    new NoClassDefFoundError("javax/xml/bind/JAXBException"),
                    // As Java has it once an initializer has failed.
                    new ExceptionInInitializerError(
                            "Exception java.lang." + missing + " [in thread \"main\"]")
                }) {
            String text = chainOf(root, 20);
            assertTrue(text.startsWith("wrapper 19: IllegalStateException: wrapper 18"), text);
            assertTrue(text.contains(missing), text);
            assertTrue(text.contains("write deploy: {java-ee-modules: jaxb}"), text);
        }
    }

    @Test
    void messageThatHasTheCauseInIt_isFollowedByItsRemedy() {
        Throwable root = new ClassNotFoundException("javax.xml.bind.JAXBContext");
        String text = Causes.chain(new IllegalStateException("nested exception is " + root, root));
        assertTrue(text.contains("write deploy: {java-ee-modules: jaxb}"), text);
        assertEquals(
                "x: ClassNotFoundException: com.example.Missing",
                Causes.chain(
                        new IllegalStateException(
                                "x", new ClassNotFoundException("com.example.Missing"))));
    }

    @Test
    void packageThatJavaKeepsClosed_isNamedAsItIsOpened() throws Exception {
        Method method = AttributedCharacterIterator.Attribute.class.getDeclaredMethod("getName");
        InaccessibleObjectException closed =
                assertThrows(InaccessibleObjectException.class, () -> method.setAccessible(true));
        String text = chainOf(closed, 2);
        assertTrue(
                text.endsWith("MARGAY_JAVA_OPTS=--add-opens=java.base/java.text=ALL-UNNAMED)"),
                text);
    }

    @Test
    void archiveWithFieldsThatJavaRefuses_isToldHowToBeRead() {
        String text =
                Causes.text(
                        new ZipException(
                                "Invalid CEN header (invalid zip64 extra data field size)"));
        assertTrue(text.contains("disableZip64ExtraFieldValidation=true"), text);
        assertEquals("ZipException: no end", Causes.text(new ZipException("no end")));
    }
}
