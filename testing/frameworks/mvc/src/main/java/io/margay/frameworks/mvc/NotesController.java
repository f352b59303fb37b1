package io.margay.frameworks.mvc;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.SessionAttributes;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/// Notes of one session: listed, written, checked.
@Controller
@SessionAttributes("notes")
public class NotesController {
    /// What a form sends.
    public static final class Note {
        private String text = "";

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text;
        }
    }

    private final String greeting;

    public NotesController(@Value("${greeting:not in JNDI}") String greeting) {
        this.greeting = greeting;
    }

    /// The notes of a new session.
    @ModelAttribute("notes")
    public List<String> notes() {
        return new ArrayList<>();
    }

    /// The page.
    @GetMapping("/notes")
    public String list(Model model, @ModelAttribute("note") Note note) {
        model.addAttribute("greeting", greeting);
        return "notes";
    }

    /// Takes a note, and sends the client back to the page.
    @PostMapping("/notes")
    public String add(
            @ModelAttribute("notes") List<String> notes,
            @ModelAttribute("note") Note note,
            BindingResult result,
            RedirectAttributes redirect) {
        if (note.getText().isBlank()) {
            result.rejectValue("text", "blank", "a note has words");
            return "notes";
        }
        notes.add(note.getText());
        redirect.addFlashAttribute("told", "note " + notes.size());
        return "redirect:/notes";
    }

    /// Fails, as an application may.
    @GetMapping("/fail")
    public String fail() {
        throw new IllegalArgumentException("as meant");
    }

    /// A page for failures.
    @ExceptionHandler(IllegalArgumentException.class)
    public String failed(IllegalArgumentException e, Model model, HttpServletResponse response) {
        response.setStatus(HttpServletResponse.SC_CONFLICT);
        model.addAttribute("message", e.getMessage());
        return "failed";
    }
}
