package old;

import javax.servlet.http.HttpServletRequest;
import org.apache.struts.action.ActionErrors;
import org.apache.struts.action.ActionForm;
import org.apache.struts.action.ActionMapping;
import org.apache.struts.action.ActionMessage;

/// What is ordered.
public class OrderForm extends ActionForm {
    private String item = "";
    private int amount;

    public String getItem() {
        return item;
    }

    public void setItem(String value) {
        item = value;
    }

    public int getAmount() {
        return amount;
    }

    public void setAmount(int value) {
        amount = value;
    }

    @Override
    public ActionErrors validate(ActionMapping mapping, HttpServletRequest request) {
        ActionErrors errors = new ActionErrors();
        if (amount < 1) {
            errors.add("amount", new ActionMessage("order.amount"));
        }
        return errors;
    }
}
