package old;

import com.opensymphony.xwork2.ActionSupport;
import java.util.Map;
import org.apache.struts2.interceptor.SessionAware;

/// Orders, and counts in the session.
public class OrderAction extends ActionSupport implements SessionAware {
    private String item;
    private int amount;
    private Map<String, Object> session;

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
    public void setSession(Map<String, Object> values) {
        session = values;
    }

    @Override
    public void validate() {
        if (amount < 1) {
            addFieldError("amount", "An amount is needed");
        }
    }

    @Override
    public String execute() {
        session.merge("orders", 1, (before, one) -> (Integer) before + (Integer) one);
        return SUCCESS;
    }
}
