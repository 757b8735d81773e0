"""The market: buying and selling, sealed baskets, the emergency hire, the sponsor's grant, and who has finished."""
